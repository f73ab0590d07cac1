package dev.fairlead.showcase;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Serving;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.logging.Level;
import java.util.logging.Logger;

/** {@code fairlead serve}: the showcase server, over HTTP or stdio. */
public final class Serve {
    private static final String USAGE =
            """
            Usage: fairlead serve [--http HOST:PORT] [--stateless] [--bench]
                   fairlead serve --stdio [--bench]

            Serves the showcase: tools, resources, prompts and completion of every kind.

              --http HOST:PORT  serve on http://HOST:PORT/mcp (default 127.0.0.1:${PORT:-3000}; port 0 takes a free one)
              --stdio           serve on standard input and output instead
              --stateless       no sessions, JSON answers only
              --bench           only one tool, echo, for measuring
            """;

    /** Held here, since loggers that nobody holds forget their level. */
    private static final Logger ENGINE = Logger.getLogger("org.eclipse.jetty");

    private Serve() {}

    public static void main(String[] arguments) throws InterruptedException {
        ENGINE.setLevel(Level.WARNING);
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) throws InterruptedException {
        ServeOptions options;
        try {
            options = ServeOptions.parse(arguments, System.getenv("PORT"));
        } catch (IllegalArgumentException e) {
            System.err.println("fairlead serve: " + e.getMessage());
            System.err.print(USAGE);
            return 64;
        }
        if (options.help()) {
            System.out.print(USAGE);
            return 0;
        }
        try (McpServer server = options.bench() ? Bench.server() : Showcase.server()) {
            return options.stdio() ? serveStdio(server) : serveHttp(server, options);
        } catch (IOException | UncheckedIOException e) {
            System.err.println("fairlead serve: " + e.getMessage());
            return 1;
        }
    }

    private static int serveStdio(McpServer server) throws InterruptedException {
        try (Serving serving = server.serve(Stdio.streams())) {
            serving.await();
        }
        return 0;
    }

    private static int serveHttp(McpServer server, ServeOptions options)
            throws IOException, InterruptedException {
        HttpListener listener = Http.port(options.port()).host(options.host());
        if (options.stateless()) {
            listener = listener.stateless();
        }
        HttpServing serving = server.serve(listener);
        Runtime.getRuntime().addShutdownHook(new Thread(serving::close, "mcp-shutdown"));
        System.out.println("listening on " + serving.uri());
        serving.await();
        return 0;
    }
}
