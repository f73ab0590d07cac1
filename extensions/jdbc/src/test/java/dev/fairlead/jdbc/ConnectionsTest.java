package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@Tag("proof")
class ConnectionsTest {
    private static final String CONNECTIONS =
            "select count(*) from pg_stat_activity where datname = current_database()"
                    + " and application_name = 'fairlead'";

    /** The connections of a pool stay open, so that their number at the end is the highest. */
    @Test
    void aServerHasAtMostTwelveConnectionsByDefault() throws Exception {
        String url = TestPostgres.database();
        try (Database database = Database.postgres(url);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Tasks.Parts parts = JdbcTasks.on(database).parts();
            try (TaskSignals signals = parts.signals();
                    TaskStore store = parts.store()) {
                signals.open(new Ignoring());
                store.open(new TestNode("node"), Clock.systemUTC());
                EventStore events = JdbcEvents.on(database);
                List<Future<?>> calls = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    String id = "task-" + i;
                    calls.add(
                            callers.submit(
                                    () -> {
                                        store.create(NodeProcess.task(id, true), 1_000);
                                        return store.cancel(
                                                NodeProcess.OWNER, new TaskId(id), null);
                                    }));
                    calls.add(callers.submit(() -> store.list(NodeProcess.OWNER, null, 100)));
                    EventStore.Stream stream =
                            new EventStore.Stream("s" + i, "p1", List.of(RequestId.of(1)));
                    calls.add(callers.submit(() -> events.append(stream, new byte[1])));
                    signals.changed(new TaskId(id));
                }
                for (Future<?> call : calls) {
                    call.get();
                }
                assertThat(TestPostgres.number(url, CONNECTIONS)).isBetween(8L, 12L);
            }
        }
    }

    private static final class Ignoring implements TaskSignals.Listener {
        @Override
        public void changed(TaskId id) {}

        @Override
        public void anyChanged() {}
    }
}
