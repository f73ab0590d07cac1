package dev.fairlead.browser;

import dev.fairlead.client.McpClient;
import dev.fairlead.console.Console;
import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.http.ConsoleServing;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A server and a console of its own, on whose page people try it. */
final class TriedServer implements AutoCloseable {
    private final List<Consumer<ConsoleTarget.Restart>> followers = new CopyOnWriteArrayList<>();
    private final Console console = Console.local().target(new Target());
    private final ConsoleServing page;
    private volatile McpServer server;
    private volatile HttpServing endpoint;
    private final Revision revision;

    TriedServer(McpServer server) throws IOException {
        this(server, Revision.V2026_07_28);
    }

    /**
     * @param revision that the page speaks with the server
     */
    TriedServer(McpServer server, Revision revision) throws IOException {
        this.revision = revision;
        this.server = server;
        this.endpoint = server.serve(Http.port(0));
        this.page = Http.port(0).console(console).serveConsole();
    }

    private final class Target implements ConsoleTarget {
        @Override
        public String label() {
            return "harbour";
        }

        @Override
        public List<String> words() {
            return List.of(url().toString());
        }

        @Override
        public URI url() {
            return TriedServer.this.url();
        }

        @Override
        public McpClient.Builder client() {
            return ConsoleTarget.super.client().revisions(revision, revision);
        }

        @Override
        public Remote remote(Consumer<String> stderr) {
            return Http.to(url());
        }

        @Override
        public Runnable onRestart(Consumer<Restart> listener) {
            followers.add(listener);
            return () -> followers.remove(listener);
        }
    }

    /** Returns the URL of the server. */
    URI url() {
        return endpoint.uri();
    }

    /** Returns the address of the page with its token. */
    URI address() {
        return console.address(page);
    }

    /** Starts another server in the place of this one. */
    void restart(McpServer next, String message) {
        McpServer before = server;
        server = next;
        endpoint = next.serve(Http.port(0));
        before.close();
        followers.forEach(follower -> follower.accept(new ConsoleTarget.Restart(message, true)));
    }

    /** Reports that another server could not be started in the place of this one. */
    void failRestart(String message) {
        followers.forEach(follower -> follower.accept(new ConsoleTarget.Restart(message, false)));
    }

    /** Ends the server, and leaves the console. */
    void closeServer() {
        server.close();
    }

    @Override
    public void close() {
        page.close();
        server.close();
    }
}
