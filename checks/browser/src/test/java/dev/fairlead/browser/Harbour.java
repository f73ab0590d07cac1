package dev.fairlead.browser;

import dev.fairlead.client.McpClient;
import dev.fairlead.console.Console;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A server with a console, whose tools end when a test says so, and its clients. */
final class Harbour implements AutoCloseable {
    /** Markup, an address of a script, characters that turn text around, and an escape sequence. */
    static final String HOSTILE =
            "<img src=x onerror=alert(1)><script>alert(2)</script>javascript:alert(3)"
                    + " \u202Eevil\u2066 \u001B[31mred\u0007 \"'`${7*7}";

    /** The input of all tools. */
    record Ship(String name) {}

    /** Opens to end the tools that wait. */
    final CountDownLatch tide = new CountDownLatch(1);

    /** Opens when a tool waits. */
    final CountDownLatch waiting = new CountDownLatch(1);

    private final Console console = Console.local();
    private final McpServer server;
    private final HttpServing serving;
    private final List<McpClient> clients = new CopyOnWriteArrayList<>();

    Harbour() {
        server =
                McpServer.named("harbour", "1.4.0")
                        .title("Harbour office")
                        .tool("berth", "Gives a ship its berth", Ship.class, String.class)
                        .handle((ship, call) -> "Berth 7 for " + ship.name())
                        .tool("crane", "Lends a crane", Ship.class, String.class)
                        .requireScopes("harbour:cranes")
                        .handle((ship, call) -> "Crane 2")
                        .tool("dredge", "Breaks", Ship.class, String.class)
                        .handle(
                                (ship, call) -> {
                                    throw new IllegalStateException("the dredger is out of order");
                                })
                        .tool("refit", "Refits a ship", Ship.class, String.class)
                        .task(TaskSupport.OPTIONAL)
                        .handle(
                                (ship, call) -> {
                                    call.progress(1, 4.0, "the hull of " + ship.name());
                                    awaitTide();
                                    return "Refitted";
                                })
                        .tool("unload", "Unloads a ship", Ship.class, String.class)
                        .handle(
                                (ship, call) -> {
                                    call.progress(3, 8.0, "containers of " + ship.name());
                                    awaitTide();
                                    return "Unloaded";
                                })
                        .build();
        serving = server.serve(Http.port(0).console(console));
    }

    /** Waits for the tide, whatever interrupts it. */
    private void awaitTide() {
        boolean interrupted = false;
        waiting.countDown();
        while (true) {
            try {
                tide.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the address with the token. */
    URI address() {
        return console.address(serving);
    }

    HttpServing serving() {
        return serving;
    }

    McpServer server() {
        return server;
    }

    /** Returns a client in a session. */
    McpClient client(String name) throws InterruptedException {
        return client(name, true);
    }

    /**
     * Returns a client in a session.
     *
     * @param listens whether it has a stream, and thereby learns of the end of the session and
     *     opens another
     */
    McpClient client(String name, boolean listens) throws InterruptedException {
        McpClient client =
                McpClient.named(name, "2.1")
                        .revisions(Revision.V2025_06_18, Revision.V2025_11_25)
                        .connect(Http.to(serving.uri()).listening(listens));
        clients.add(client);
        client.ping();
        return client;
    }

    /** Returns a client without a session. */
    McpClient modernClient(String name) throws InterruptedException {
        McpClient client =
                McpClient.named(name, "3.0")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .connect(Http.to(serving.uri()));
        clients.add(client);
        return client;
    }

    @Override
    public void close() {
        tide.countDown();
        clients.forEach(McpClient::close);
        server.close();
    }
}
