package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.protocol.changes.ChangeBus;

/**
 * Changes that reach the clients of all nodes through a {@link Database}, which may be that of
 * tasks and events.
 *
 * {@snippet :
 * McpServer.named("shop", "2.0.0").changes(JdbcChanges.on(database))
 * }
 */
public final class JdbcChanges {
    private static final String SPACE = "changes";

    private JdbcChanges() {}

    /**
     * A bus in a space named {@code changes}.
     *
     * @see #on(Database, String)
     */
    public static ChangeBus on(Database database) {
        return on(database, SPACE);
    }

    /**
     * A bus in a space of a database. On PostgreSQL all buses of the same space, in any process,
     * carry the changes of each other, by {@code NOTIFY}; nothing is stored. Each takes two
     * connections beside the pool and two threads while it has a listener, as that of an open
     * server has; without one it carries nothing to other processes. When its connection was lost,
     * more than 10,000 changes waited, or a URI has more than about 900 characters, listeners are
     * called with {@code changesMissed}, and servers announce everything. An SQLite file belongs to
     * one process, whose buses in the same space carry the changes of each other.
     *
     * <p>Close the servers before the database.
     *
     * @param space 1 to 64 characters from {@code A-Z a-z 0-9 _ - .}; different servers take
     *     different ones
     * @throws IllegalArgumentException if the name of the space is invalid
     */
    public static ChangeBus on(Database database, String space) {
        Space.check(space);
        return database.engine() instanceof PostgresEngine postgres
                ? new NotifyChangeBus(postgres, space)
                : database.changes(space);
    }
}
