package dev.fairlead.cli.view;

import dev.fairlead.cli.view.Table.Column;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.tasks.Task;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tasks as people see them. */
public final class TaskList {
    private TaskList() {}

    /**
     * Columns: id, status, age and the time for which the task is kept yet (on a terminal as people
     * read them, elsewhere in seconds; nothing where it is kept forever), status message.
     */
    public static List<String> lines(List<Task> tasks, Instant now, Screen screen) {
        Table table =
                Table.of(
                        Column.of("TASK", Style.BOLD),
                        Column.of("STATUS", TaskFacts::style),
                        Column.of("AGE", Style.PLAIN),
                        Column.of("TTL LEFT", Style.PLAIN),
                        Column.wrapping("MESSAGE", Style.PLAIN));
        for (Task task : tasks) {
            TaskFacts facts = new TaskFacts(task, now);
            table.row(
                    Printable.line(task.id().value()),
                    TaskFacts.words(task.status()),
                    span(facts.age(), screen),
                    facts.left().map(left -> span(left, screen)).orElse(""),
                    Names.line(task.statusMessage()));
        }
        return tasks.isEmpty() ? Names.none("tasks", screen) : table.lines(screen);
    }

    private static String span(Duration span, Screen screen) {
        return screen.terminal() ? Ages.of(span) : Long.toString(span.toSeconds());
    }

    /**
     * One task: on a terminal its id, and below it the details; elsewhere the line of {@link
     * #lines}.
     */
    public static List<String> one(Task task, Instant now, Screen screen) {
        if (!screen.terminal()) {
            return lines(List.of(task), now, screen);
        }
        TaskFacts facts = new TaskFacts(task, now);
        String status = TaskFacts.words(task.status());
        List<String> lines = new ArrayList<>();
        lines.add(
                screen.styled(Style.BOLD, Printable.line(task.id().value()))
                        + " "
                        + screen.styled(TaskFacts.style(status), status));
        Indented inside = new Indented("  ", screen);
        Optional.ofNullable(task.statusMessage())
                .ifPresent(message -> lines.addAll(inside.paragraph(message, Style.PLAIN)));
        lines.addAll(inside.paragraph(times(facts), Style.DIM));
        return lines;
    }

    private static String times(TaskFacts facts) {
        return "created "
                + Ages.of(facts.age())
                + " ago, "
                + facts.left().map(left -> "kept for " + Ages.of(left)).orElse("kept forever");
    }
}
