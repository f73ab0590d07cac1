package dev.fairlead.test.shared;

import static dev.fairlead.test.support.Awaiting.await;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.net.BindException;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Serves at a port that was released a moment ago. Meanwhile the system may have given it to
 * another connection for a while, unless it is an own port.
 */
public final class Rebinding {
    private Rebinding() {}

    /**
     * Serves at a port that the system gives to no program by itself: while it is released, no
     * server of another test answers there.
     */
    public static HttpServing serveOnOwnPort(McpServer server) {
        HttpServing serving = null;
        while (serving == null) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            serving = attempt(server, Http.port(port));
        }
        return serving;
    }

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
