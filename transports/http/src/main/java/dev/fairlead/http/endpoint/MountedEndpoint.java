package dev.fairlead.http.endpoint;

import dev.fairlead.http.console.HttpSessionStatus;
import dev.fairlead.http.spi.Route;

import java.util.List;
import java.util.stream.Stream;

/** An endpoint of one transport, on paths of its own. */
public interface MountedEndpoint extends AutoCloseable {
    List<Route> routes();

    /** Returns how many sessions are open. */
    int openSessions();

    /** Returns the sessions that are open now, for operators. */
    Stream<HttpSessionStatus> sessionStatuses();

    /** Ends the session of this name in logs; false if there is none. */
    boolean endSession(String name);

    /** Does the periodic work; called by one thread at a time. */
    void round();

    /** Prepares for the end: requests that come from now on are for other processes. */
    default void draining() {}

    /** Ends the sessions and their streams. */
    @Override
    void close();
}
