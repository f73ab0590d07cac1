package dev.fairlead.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The printed report of a measurement. */
class ReportTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Report report =
            new Report(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @Test
    void aMissedTargetIsReported() {
        assertThat(report.check("speed", 2, Target.atLeast(3))).isEqualTo("MISSED");
        assertThat(report.check("time", 2, Target.atMost(3))).isEqualTo("met");
        assertThat(report.unmeasured("weight")).isEqualTo("NOT MEASURED");
        assertThat(report.missed())
                .containsExactly("speed is 2, not >= 3", "weight was not measured");
    }

    @Test
    void aColumnMayBeEmpty() {
        Table table = new Table("Title", "name", "", "figure");
        table.row("one", "", "1");
        report.print(table);

        assertThat(printed.toString(StandardCharsets.UTF_8)).containsPattern("one +1");
    }

    @Test
    void theMedianIsInTheMiddle() {
        assertThat(Figures.of(List.of(4, 1, 3, 2)).median()).isEqualTo(2.5);
        assertThat(Figures.of(List.of(3, 1, 2)).median()).isEqualTo(2);
    }
}
