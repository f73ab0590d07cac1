package dev.fairlead.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** That everything runs, on what takes no time; figures are nobody's business here. */
class BenchmarksTest {
    private static final Duration SHORT = Duration.ofMillis(100);

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Report report =
            new Report(new PrintStream(printed, true, StandardCharsets.UTF_8));

    private static Options options(String line) {
        return Options.parse(List.of(line.split(" ")));
    }

    @Test
    void aMissedTargetFailsTheProgramOnlyWhereItIsAskedTo() {
        assertThat(options("tasks --quick").checked()).isFalse();
        assertThat(options("tasks --assert").checked()).isTrue();

        assertThat(report.check("speed", 2, Target.atLeast(3))).isEqualTo("MISSED");
        assertThat(report.check("time", 2, Target.atMost(3))).isEqualTo("met");
        assertThat(report.unmeasured("weight")).isEqualTo("NOT MEASURED");
        assertThat(report.missed())
                .containsExactly("speed is 2, not >= 3", "weight was not measured");
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        assertThatThrownBy(() -> options("everything")).hasMessageContaining("tasks");
        assertThatThrownBy(() -> options("tasks --stores disk")).hasMessageContaining("disk");
        assertThatThrownBy(() -> options("tasks --only luck")).hasMessageContaining("luck");
        assertThatThrownBy(() -> options("tasks --fast")).hasMessageContaining("--fast");
    }

    @Test
    void tasksInMemoryWakeTheirCallers() throws Exception {
        Benchmarks.run(options("tasks --quick --stores memory --only wakeup"), report);

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("Wake-up of a caller")
                .containsPattern("memory +1 +[0-9]");
    }

    @Test
    void theBareStatementsFitTheTablesOfTheStore(@TempDir Path folder) throws Exception {
        try (Lifecycle bare = new BareSqlite("file:" + folder.resolve("bare.db"));
                Lifecycle engine = new EngineLifecycle("file:" + folder.resolve("engine.db"))) {
            for (Lifecycle lifecycle : Stream.of(bare, engine).toList()) {
                assertThat(Round.of(lifecycle, SHORT).perSecond()).isPositive();
                assertThat(lifecycle.commits()).isPositive();
            }
        }
    }

    @Test
    void storedTasksAreFoundBesideTheirStore(@TempDir Path folder) throws Exception {
        String url = "file:" + folder.resolve("filled.db");
        Filling.fill(url, StoreKind.SQLITE, 1_000);

        try (OpenEngine opened = new OpenEngine(url, context -> OpenEngine.RESULT)) {
            for (int task : List.of(0, 1, 998, 999)) {
                assertThat(opened.await(Filling.owner(task), Filling.id(task)).state())
                        .isEqualTo(OpenEngine.RESULT.state());
            }
            assertThat(opened.engine().list(Filling.owner(0), null).tasks()).hasSize(50);
        }
    }

    @Test
    void aColumnMayBeEmpty() {
        Table table = new Table("Title", "name", "", "figure");
        table.row("one", "", "1");
        report.print(table);

        assertThat(printed.toString(StandardCharsets.UTF_8)).containsPattern("one +1");
    }

    @Test
    void figuresAreOrdered() {
        Figures figures = Figures.of(List.of(4, 1, 3, 2));

        assertThat(figures.median()).isEqualTo(2.5);
        assertThat(figures.at(0.99)).isEqualTo(4);
        assertThat(figures.lowest()).isEqualTo(1);
        assertThat(figures.highest()).isEqualTo(4);
    }
}
