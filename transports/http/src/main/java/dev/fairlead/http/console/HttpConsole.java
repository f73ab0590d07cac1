package dev.fairlead.http.console;

import dev.fairlead.http.spi.Route;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Pages for people beside an MCP endpoint: {@link dev.fairlead.http.HttpOptions#console}. Module
 * {@code fairlead-console} has one.
 */
public interface HttpConsole {
    /** Returns all paths that it answers at; the first is that of the page that people open. */
    List<String> paths();

    /**
     * Begins to answer at one place.
     *
     * @param endpoint the endpoint beside it; null where the console is served alone
     */
    Mounted mount(@Nullable HttpOperator endpoint);

    /** A console at one place. */
    interface Mounted extends AutoCloseable {
        /** Returns the routes, one for each of {@link HttpConsole#paths}. */
        List<Route> routes();

        /** Ends its streams; called before the connections are closed. */
        @Override
        void close();
    }
}
