package dev.fairlead.interop;

import dev.fairlead.showcase.Serve;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The showcase server as a process of its own. */
final class ShowcaseServer implements AutoCloseable {
    private final Child child;
    private final String url;

    private ShowcaseServer(Child child, String url) {
        this.child = child;
        this.url = url;
    }

    /** The command line that starts the server. */
    static List<String> command(String... arguments) {
        return Child.java(Serve.class, arguments);
    }

    /** Starts the server on a free port. */
    static ShowcaseServer http() throws IOException, InterruptedException {
        Child child = Child.start(command("--http", "127.0.0.1:0", "--sse"), Map.of());
        return new ShowcaseServer(child, child.await("^listening on (.*)$"));
    }

    String url() {
        return url;
    }

    @Override
    public void close() throws InterruptedException {
        child.close();
    }
}
