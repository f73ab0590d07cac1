package dev.fairlead.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class TaskListTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Task REPORT =
            new Task(new TaskId("a-1"), TaskStatus.INPUT_REQUIRED, NOW.minusSeconds(95), NOW)
                    .withTtl(3_600_000L)
                    .withStatusMessage("Waits for a name");
    private static final Task OLD =
            new Task(new TaskId("b-2"), TaskStatus.COMPLETED, NOW.minusSeconds(90_000), NOW);

    @Test
    void theyAreATable() {
        assertThat(TaskList.lines(List.of(REPORT, OLD), NOW, Screens.wide(80)))
                .containsExactly(
                        "TASK  STATUS          AGE    TTL LEFT  MESSAGE",
                        "a-1   input required  1 min  58 min    Waits for a name",
                        "b-2   completed       1 d");
        assertThat(TaskList.lines(List.of(), NOW, Screens.wide(80))).containsExactly("no tasks");
    }

    @Test
    void aStatusHasItsColour() {
        assertThat(TaskList.lines(List.of(REPORT, OLD), NOW, Screens.coloured(80)))
                .anyMatch(line -> line.contains("\u001b[33minput required\u001b[0m"))
                .anyMatch(line -> line.contains("\u001b[32mcompleted\u001b[0m"));
    }

    @Test
    void aPipeGetsSeconds() {
        assertThat(TaskList.lines(List.of(REPORT, OLD), NOW, Screens.PIPE))
                .containsExactly(
                        "a-1\tinput required\t95\t3505\tWaits for a name",
                        "b-2\tcompleted\t90000\t\t");
        assertThat(TaskList.one(OLD, NOW, Screens.PIPE))
                .containsExactly("b-2\tcompleted\t90000\t\t");
    }

    @Test
    void oneIsShownWithWhatIsKnown() {
        assertThat(TaskList.one(REPORT, NOW, Screens.wide(80)))
                .containsExactly(
                        "a-1 input required",
                        "  Waits for a name",
                        "  created 1 min ago, kept for 58 min");
        assertThat(TaskList.one(OLD, NOW, Screens.wide(80)))
                .containsExactly("b-2 completed", "  created 1 d ago, kept forever");
    }

    @Test
    void clocksThatDisagreeGiveNoTimeBelowZero() {
        Task early =
                new Task(new TaskId("c"), TaskStatus.WORKING, NOW.plusSeconds(60), NOW)
                        .withTtl(1_000L);
        assertThat(TaskList.lines(List.of(early), NOW, Screens.PIPE))
                .containsExactly("c\tworking\t0\t1\t");
        assertThat(TaskList.lines(List.of(OLD.withTtl(1L)), NOW, Screens.PIPE))
                .containsExactly("b-2\tcompleted\t90000\t0\t");
    }

    @Test
    void aTtlThatIsHugeIsShownAllTheSame() {
        Task kept = OLD.withTtl(Long.MAX_VALUE);
        assertThat(TaskList.lines(List.of(kept), NOW, Screens.PIPE).getFirst())
                .isEqualTo("b-2\tcompleted\t90000\t9223372036764775\t");
    }

    @Test
    void aWaitedForTaskIsShownOnOneLine() {
        assertThat(TaskLine.live(REPORT, new Progress(1, 2.0, null), NOW, Screens.wide(100)))
                .isEqualTo(
                        "input required, 1 min, 58 min left "
                                + "[███████████████░░░░░░░░░░░░░░░]  50% Waits for a name");
        assertThat(TaskLine.live(OLD, null, NOW, Screens.wide(80))).isEqualTo("completed, 1 d");
        assertThat(TaskLine.live(REPORT, new Progress(1, 2.0, null), NOW, Screens.wide(30)))
                .hasSizeLessThan(30)
                .endsWith("…");
    }

    @Test
    void nothingSteersTheTerminal() {
        Task evil =
                new Task(new TaskId("\u001b[2J"), TaskStatus.WORKING, NOW, NOW)
                        .withStatusMessage("\u001b[2J\rx");
        assertThat(
                        List.of(
                                        TaskList.lines(List.of(evil), NOW, Screens.wide(80)),
                                        TaskList.one(evil, NOW, Screens.wide(80)),
                                        TaskLine.calm(evil, Screens.wide(80)),
                                        TaskLine.live(evil, null, NOW, Screens.wide(80)))
                                .toString())
                .doesNotContain("\u001b", "\r");
    }
}
