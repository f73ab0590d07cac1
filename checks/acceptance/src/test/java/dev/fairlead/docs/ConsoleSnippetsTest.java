package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.console.Console;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;

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

    private static void serve(McpServer server, StringBuilder out) {
        // @start region="local"
        Console console = Console.local();
        HttpServing serving = server.serve(Http.port(0).console(console));
        out.append("Console: ").append(console.address(serving));
        // @end
    }
}
