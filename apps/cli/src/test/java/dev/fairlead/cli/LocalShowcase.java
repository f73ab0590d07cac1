package dev.fairlead.cli;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;
import dev.fairlead.showcase.Showcase;
import dev.fairlead.showcase.tour.Tour;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.tasks.Tasks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.UnaryOperator;

/** The fixtures in the JVM of the test, over HTTP, and HTTP+SSE unless options differ. */
final class LocalShowcase implements AutoCloseable {
    private final McpServer server;
    private final HttpServing serving;

    LocalShowcase() throws IOException {
        this(http -> http.host("127.0.0.1").legacySse());
    }

    /**
     * @param options of the port
     */
    LocalShowcase(UnaryOperator<HttpListener> options) throws IOException {
        this(Showcase.server(), options);
    }

    private LocalShowcase(McpServer server, UnaryOperator<HttpListener> options)
            throws IOException {
        this.server = server;
        serving = server.serve(options.apply(Http.port(0)));
    }

    /** The fixtures together with the tour. */
    static LocalShowcase withTour() throws IOException {
        return new LocalShowcase(tour(), http -> http.host("127.0.0.1"));
    }

    private static McpServer tour() {
        Tour tour = new Tour();
        McpServer server =
                Showcase.server(Tasks.inMemory(), builder -> builder.features(tour::declare));
        tour.runsIn(server);
        return server;
    }

    /** The command line that starts the showcase over stdio. */
    static List<String> command() {
        return LocalProgram.command((none, in, out, err) -> serve(in, out));
    }

    /** The tour alone. */
    static LocalShowcase tourAlone() throws IOException {
        return new LocalShowcase(
                Tour.server("0.1.0", Tasks.inMemory(), builder -> builder),
                http -> http.host("127.0.0.1"));
    }

    /** Serves the tour over these streams until the input ends; gives the exit status. */
    static int serveTour(InputStream in, OutputStream out)
            throws IOException, InterruptedException {
        return serve(tour(), in, out);
    }

    /** Serves the fixtures over these streams until the input ends; gives the exit status. */
    static int serve(InputStream in, OutputStream out) throws IOException, InterruptedException {
        return serve(Showcase.server(), in, out);
    }

    private static int serve(McpServer server, InputStream in, OutputStream out)
            throws IOException, InterruptedException {
        try (server) {
            server.serve(Stdio.streams(in, out)).await();
        }
        return 0;
    }

    String url() {
        return serving.uri().toString();
    }

    @Override
    public void close() {
        serving.close();
        server.close();
    }
}
