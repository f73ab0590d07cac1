package dev.fairlead.jdbc;

import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;

/**
 * Events and sessions over HTTP that outlive the server: where they are kept is a {@link Database},
 * which may be that of its tasks.
 *
 * {@snippet :
 * server.serve(Http.port(8080).eventStore(JdbcEvents.on(database)));
 * }
 *
 * <p>What {@link EventStore#append} has returned is on the disk. Limits are kept by sweeps, so for
 * a few seconds there may be more. On a PostgreSQL that several servers share, another server goes
 * on with the sessions of one that has ended; as long as both live, each session must come to the
 * same server.
 */
public final class JdbcEvents {
    private static final String SPACE = "events";

    private JdbcEvents() {}

    /** Events in a database, in a space named {@code events}, with the default limits. */
    public static EventStore on(Database database) {
        return on(database, EventLimits.DEFAULT);
    }

    /** Events in a database, in a space named {@code events}. */
    public static EventStore on(Database database, EventLimits limits) {
        return on(database, SPACE, limits);
    }

    /**
     * Events in a space of a database.
     *
     * <p>Close the servers before the database.
     *
     * @param space 1 to 64 characters from {@code A-Z a-z 0-9 _ - .}; sessions of other spaces are
     *     unknown, so different servers take different ones
     */
    public static EventStore on(Database database, String space, EventLimits limits) {
        Space.check(space);
        EventAccess access = new EventAccess(database.engine(), space);
        return new JdbcEventStore(
                access, new JdbcSessionStore(access), new EventRetention(access, limits));
    }
}
