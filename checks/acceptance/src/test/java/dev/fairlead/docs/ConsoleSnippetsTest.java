package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.console.Console;
import dev.fairlead.http.ConsoleServing;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;

/** The code of docs/console.md. */
class ConsoleSnippetsTest {
    @Test
    void theConsoleHasAnAddress() {
        try (McpServer server = McpServer.named("weather", "1.0").build()) {
            StringBuilder out = new StringBuilder();
            serve(server, out);
            assertThat(out.toString()).contains("/console/#token=");
        }
    }

    @Test
    void aConsoleOfItsOwnHasAnAddress() throws Exception {
        StringBuilder out = new StringBuilder();
        try (ConsoleServing page = serveAlone(out)) {
            assertThat(out.toString()).contains(page.uri() + "#token=");
        }
    }

    private static ConsoleServing serveAlone(StringBuilder out) throws IOException {
        // @start region="target"
        Console console = Console.local().target(URI.create("http://127.0.0.1:3000/mcp"));
        ConsoleServing page = Http.port(0).console(console).serveConsole();
        out.append("Console: ").append(console.address(page));
        // @end
        return page;
    }

    private static void serve(McpServer server, StringBuilder out) {
        // @start region="local"
        Console console = Console.local();
        HttpServing serving = server.serve(Http.port(0).console(console));
        out.append("Console: ").append(console.address(serving));
        // @end
    }
}
