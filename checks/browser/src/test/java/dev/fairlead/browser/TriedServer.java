package dev.fairlead.browser;

import dev.fairlead.console.Console;
import dev.fairlead.http.ConsoleServing;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;

import java.io.IOException;
import java.net.URI;

/** A server and a console of its own, on whose page people try it. */
final class TriedServer implements AutoCloseable {
    private final McpServer server;
    private final HttpServing endpoint;
    private final Console console;
    private final ConsoleServing page;

    TriedServer(McpServer server) throws IOException {
        this.server = server;
        this.endpoint = server.serve(Http.port(0));
        this.console = Console.local().target(endpoint.uri());
        this.page = Http.port(0).console(console).serveConsole();
    }

    /** Returns the URL of the server. */
    URI url() {
        return endpoint.uri();
    }

    /** Returns the address of the page with its token. */
    URI address() {
        return console.address(page);
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
