package dev.fairlead.showcase;

import dev.fairlead.json.Doc;
import dev.fairlead.server.McpServer;

import java.util.function.UnaryOperator;

/** The server for measuring: one tool that returns its argument. */
final class Bench {
    private Bench() {}

    record Echo(@Doc("What to give back") String text) {}

    /**
     * @param set sets the values of the options
     */
    static McpServer server(UnaryOperator<McpServer.Builder> set) {
        return set.apply(McpServer.named("fairlead-bench", Showcase.VERSION))
                .tool("echo", "Gives back its text", Echo.class, String.class)
                .handle((echo, call) -> echo.text())
                .withoutRateLimit()
                .build();
    }
}
