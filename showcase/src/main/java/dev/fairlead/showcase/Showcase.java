package dev.fairlead.showcase;

import dev.fairlead.protocol.Implementation;
import dev.fairlead.server.McpServer;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The showcase server: the fixtures of the conformance suite, and those that outside peers drive.
 */
final class Showcase {
    static final String VERSION = "0.1.0";

    private Showcase() {}

    static McpServer server() {
        Statistics statistics = new Statistics();
        // A tool needs the server, which is there once the tools are declared.
        CompletableFuture<McpServer> running = new CompletableFuture<>();
        Consumer<String> updated = uri -> running.join().resourceUpdated(uri);
        McpServer server =
                McpServer.named(
                                new Implementation("fairlead-showcase", VERSION)
                                        .withTitle("Fairlead showcase"))
                        .instructions(
                                "Tools named test_ are fixtures of the conformance suite, interop_"
                                        + " those of peers.")
                        .features(ConformanceTools::declare)
                        .features(ConformanceQuestions::declare)
                        .features(ConformanceResources::declare)
                        .features(ConformancePrompts::declare)
                        .features(features -> InteropTools.declare(features, statistics, updated))
                        .features(InteropResources::declare)
                        .build();
        running.complete(server);
        return server;
    }
}
