package dev.fairlead.cli;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;
import dev.fairlead.showcase.Showcase;
import dev.fairlead.stdio.Stdio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.UnaryOperator;

/** The showcase server in the JVM of the test, over HTTP, and HTTP+SSE unless options differ. */
final class LocalShowcase implements AutoCloseable {
    private final McpServer server = Showcase.server();
    private final HttpServing serving;

    LocalShowcase() throws IOException {
        this(http -> http.host("127.0.0.1").legacySse());
    }

    /**
     * @param options of the port
     */
    LocalShowcase(UnaryOperator<HttpListener> options) throws IOException {
        serving = server.serve(options.apply(Http.port(0)));
    }

    /** The command line that starts the showcase over stdio. */
    static List<String> command() {
        return LocalProgram.command((none, in, out, err) -> serve(in, out));
    }

    /** Serves over these streams until the input ends; gives the exit status. */
    static int serve(InputStream in, OutputStream out) throws IOException, InterruptedException {
        try (McpServer server = Showcase.server()) {
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
