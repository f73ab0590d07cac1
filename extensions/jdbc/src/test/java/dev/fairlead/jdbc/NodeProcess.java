package dev.fairlead.jdbc;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStore;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A node in a process of its own: it stores tasks and their progress, says that it is ready, and
 * goes on to store progress; it says when a change is refused, and when it was declared dead.
 */
final class NodeProcess {
    static final Owner OWNER = new Owner.Local();

    private NodeProcess() {}

    /** Arguments: the database, how many tasks, beat and lease in milliseconds. */
    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[1]);
        Database database =
                open(
                        arguments[0],
                        Duration.ofMillis(Long.parseLong(arguments[2])),
                        Duration.ofMillis(Long.parseLong(arguments[3])));
        TaskStore store = JdbcTasks.on(database).parts().store();
        store.open(new TestNode("child", NodeProcess::say), TestNode.CLOCK);
        List<TaskRun> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            runs.add(store.create(task("child-" + i, i % 2 == 0), count).key());
        }
        double progress = 0;
        while (true) {
            progress++;
            for (TaskRun run : List.copyOf(runs)) {
                if (!store.update(run, null, progress)) {
                    runs.remove(run);
                    say("refused " + run.id());
                }
            }
            if (progress == 1) {
                say("ready");
            }
        }
    }

    static Database open(String url, Duration beat, Duration lease) {
        DatabaseOptions options = DatabaseOptions.DEFAULT.withLiveness(beat, lease);
        return url.startsWith("jdbc:")
                ? Database.postgres(url, options)
                : Database.sqlite(Path.of(url), options);
    }

    static NewTask task(String id, boolean rerunnable) {
        return new NewTask(
                new TaskId(id),
                OWNER,
                "tools/call",
                "report",
                RawJson.EMPTY_OBJECT,
                null,
                Duration.ofHours(1),
                rerunnable);
    }

    private static synchronized void say(String line) {
        System.out.println(line);
    }
}
