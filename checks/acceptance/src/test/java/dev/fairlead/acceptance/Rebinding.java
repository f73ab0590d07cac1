package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.net.BindException;
import java.util.Objects;

/**
 * Serves at a port that was released a moment ago. Meanwhile the system may have given it to
 * another connection for a while.
 */
public final class Rebinding {
    private Rebinding() {}

    /** Serves as soon as the port is free. */
    public static HttpServing serve(McpServer server, HttpListener place) {
        return await("the port is free").until(() -> attempt(server, place), Objects::nonNull);
    }

    private static @Nullable HttpServing attempt(McpServer server, HttpListener place) {
        try {
            return server.serve(place);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof BindException) {
                return null;
            }
            throw e;
        }
    }
}
