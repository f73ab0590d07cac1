package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Dialect;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStoreException;

/**
 * Events and sessions over HTTP that outlive the server, in a {@link Database}, which may be that
 * of its tasks.
 *
 * {@snippet :
 * server.serve(Http.port(8080).eventStore(JdbcEvents.on(database)));
 * }
 *
 * <p>An event is on the disk when {@link EventStore#append} returns. Limits are enforced by sweeps,
 * which check those of a session, and of all sessions together, whenever an eighth of them was
 * appended; so the limits may be exceeded by an eighth for each server, and by the events between
 * two sweeps.
 *
 * <p>On a PostgreSQL that several servers share, one of them at a time sweeps a space, from the
 * first {@code on} until its database is closed. Each session has one owner: the server at which it
 * began, or the last one that took it over. A session moves, with its streams, to the server that
 * its client comes to, and its calls under way at the former owner end with an error; so each
 * session should come to the same server.
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
     * @param limits those of all servers that share the space; where they differ within a database,
     *     the lower ones hold
     * @throws EventStoreException if a PostgreSQL cannot be reached
     */
    public static EventStore on(Database database, String space, EventLimits limits) {
        Space.check(space);
        if (database.engine().dialect() == Dialect.POSTGRES) {
            database.eventSweeps().add(space, limits);
        }
        return store(database, space, limits);
    }

    /** A store whose sweeps are those of its caller alone. */
    static JdbcEventStore store(Database database, String space, EventLimits limits) {
        EventAccess access = new EventAccess(database.engine(), space);
        EventNode node = new EventNode(database.engine(), space, database.heartbeat());
        database.beforeClose(node::leave);
        return new JdbcEventStore(access, node, new JdbcSessionStore(access, node), limits);
    }
}
