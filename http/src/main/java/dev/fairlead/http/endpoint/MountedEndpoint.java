package dev.fairlead.http.endpoint;

import dev.fairlead.http.spi.Route;

import java.util.List;

/** A way of talking MCP over HTTP, on paths of its own. */
public interface MountedEndpoint extends AutoCloseable {
    List<Route> routes();

    /** How many sessions are open. */
    int openSessions();

    /** Does what comes round by time; called by one thread at a time. */
    void round();

    /** Ends the sessions and their streams. */
    @Override
    void close();
}
