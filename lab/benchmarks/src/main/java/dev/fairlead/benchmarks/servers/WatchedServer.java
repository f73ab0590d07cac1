package dev.fairlead.benchmarks.servers;

import dev.fairlead.console.Console;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.server.McpServer;

/** A server with a console at which no page watches, or without one. */
final class WatchedServer {
    /** The suffix of the name of the server without a console. */
    static final String OFF = "-off";

    private WatchedServer() {}

    record Echo(String text) {}

    /**
     * Serves until the process ends.
     *
     * @param arguments the port, and {@code on} or {@code off}
     */
    public static void main(String[] arguments) throws Exception {
        HttpListener listener = Http.port(Integer.parseInt(arguments[0]));
        if (arguments[1].equals("on")) {
            listener = listener.console(Console.local());
        }
        try (McpServer server =
                McpServer.named("watched", "1")
                        .withoutRateLimit()
                        .tool("echo", "Gives back its text", Echo.class, String.class)
                        .handle((echo, call) -> echo.text())
                        .build()) {
            server.serve(listener).await();
        }
    }
}
