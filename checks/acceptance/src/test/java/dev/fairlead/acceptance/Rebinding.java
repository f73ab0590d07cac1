package dev.fairlead.acceptance;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;

import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Serves at a port that was left a moment ago: meanwhile the system may have given it to somebody's
 * connection, for a while.
 */
public final class Rebinding {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Rebinding() {}

    /** Serves as soon as the port is free. */
    public static HttpServing serve(McpServer server, HttpListener place)
            throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return server.serve(place);
            } catch (UncheckedIOException e) {
                if (!(e.getCause() instanceof BindException) || System.nanoTime() > end) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(100); // between two attempts
            }
        }
    }
}
