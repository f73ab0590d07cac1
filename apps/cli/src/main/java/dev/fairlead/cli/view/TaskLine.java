package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.tasks.Task;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/** How a task stands that is waited for, on one line. */
public final class TaskLine {
    private TaskLine() {}

    /**
     * The line of a terminal: status, age, the time for which the task is kept yet, its progress,
     * its message.
     *
     * @param progress the latest report; null if there was none
     */
    public static String live(Task task, @Nullable Progress progress, Instant now, Screen screen) {
        TaskFacts facts = new TaskFacts(task, now);
        StringBuilder line = new StringBuilder(TaskFacts.words(task.status()));
        line.append(", ").append(Ages.of(facts.age()));
        facts.left().ifPresent(left -> line.append(", ").append(Ages.of(left)).append(" left"));
        if (progress != null) {
            line.append(' ').append(new ProgressBar(screen).text(progress));
        }
        if (task.statusMessage() != null) {
            line.append(' ').append(Printable.line(task.statusMessage()));
        }
        return Columns.cut(line.toString(), screen.width() - 1, screen);
    }

    /** The line elsewhere: the task, its status and its message. */
    public static List<String> calm(Task task, Screen screen) {
        String message = task.statusMessage();
        String line =
                "Task "
                        + Printable.line(task.id().value())
                        + " is "
                        + TaskFacts.words(task.status())
                        + (message == null ? "" : ": " + Printable.line(message));
        return List.of(screen.styled(Style.DIM, line));
    }
}
