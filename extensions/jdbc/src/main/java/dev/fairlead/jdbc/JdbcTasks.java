package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.tasks.TaskExecutor;
import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.tasks.Tasks;

import java.time.Duration;

/** Durable tasks: where they are kept is a {@link Database}. */
public final class JdbcTasks {
    private static final String SPACE = "tasks";

    private JdbcTasks() {}

    /**
     * Tasks in a database, in a space named {@code tasks}.
     *
     * @see #on(Database, String)
     */
    public static Tasks on(Database database) {
        return on(database, SPACE);
    }

    /**
     * Returns tasks in a space of a database. A task whose id a requestor has received is still
     * stored after a crash. On PostgreSQL servers in several processes that use the same space are
     * nodes of one server: each answers requests for all tasks, and they take over the runs of a
     * node that died. Give programs that cannot run each other's tasks different spaces: a server
     * and a client, or two different servers.
     *
     * <p>The questions of a task, their answers and the records of {@code once} stay in the
     * database until the task is removed: when its time to live and the retention after it are
     * over.
     *
     * <p>Close the servers and clients before the database.
     *
     * @param space 1 to 64 characters from {@code A-Z a-z 0-9 _ - .}; tasks of other spaces are
     *     unknown
     */
    public static Tasks on(Database database, String space) {
        Space.check(space);
        return Tasks.on(() -> parts(database, space, Sweeps.INTERVAL));
    }

    static Tasks.Parts parts(Database database, String space, Duration sweepEvery) {
        TaskSignals signals = signals(database);
        return new Tasks.Parts(
                new JdbcTaskStore(database, space, signals, sweepEvery),
                TaskExecutor.virtualThreads(),
                signals);
    }

    private static TaskSignals signals(Database database) {
        return database.engine() instanceof PostgresEngine postgres
                ? new NotifySignals(postgres)
                : new SharedSignals(database.hub());
    }
}
