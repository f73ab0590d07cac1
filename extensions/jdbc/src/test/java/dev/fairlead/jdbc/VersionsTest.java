package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.NodeProcess.OWNER;
import static dev.fairlead.jdbc.NodeProcess.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** The versions of tasks, by which nodes detect a missed signal. */
class VersionsTest {
    private static final TaskOutcome DONE = new TaskOutcome.Result(RawJson.EMPTY_OBJECT, false);

    @TempDir Path folder;

    Database open() throws SQLException {
        return Database.sqlite(folder.resolve("tasks.db"));
    }

    @Test
    void aVersionChangesWithWhatANodeMayHaveMissed() throws Exception {
        try (Database database = open();
                TaskStore store = JdbcTasks.on(database).parts().store()) {
            store.open(new TestNode("node"), TestNode.CLOCK);
            TaskRun run = store.create(task("task \"0\"", true), 10).key();
            Seen seen = new Seen(store, run.id());
            TaskQuestion.Delivery way = new TaskQuestion.Delivery("way", true);

            store.update(run, null, 0.5);
            seen.hasChanged();
            store.ask(run, question(1));
            seen.hasChanged();
            store.ask(run, question(2));
            seen.hasChanged();
            store.deliver(OWNER, run.id(), 1, null, way);
            seen.hasChanged();
            store.deliver(OWNER, run.id(), 1, way, null);
            seen.hasChanged();
            store.answer(OWNER, run.id(), 1, DONE);
            seen.hasChanged();
            store.cancel(OWNER, run.id(), null);
            seen.hasChanged();
        }
    }

    private static TaskQuestion question(int ordinal) {
        return new TaskQuestion(ordinal, "digest", "ping", RawJson.EMPTY_OBJECT, null);
    }

    /** A version as it was read last. */
    private static final class Seen {
        private final TaskStore store;
        private final TaskId id;
        private String version;

        Seen(TaskStore store, TaskId id) {
            this.store = store;
            this.id = id;
            this.version = read();
        }

        private String read() {
            var versions = store.versions(List.of(new TaskId("unknown"), id));
            assertThat(versions).containsOnlyKeys(id);
            return versions.get(id);
        }

        void hasChanged() {
            String now = read();
            assertThat(now).isNotEqualTo(version).isEqualTo(read());
            version = now;
        }
    }
}
