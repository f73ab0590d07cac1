package dev.fairlead.showcase;

import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.Tasks;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The showcase server: the fixtures of the conformance suite, and those that outside peers drive.
 */
public final class Showcase {
    static final String VERSION = "0.1.0";

    private Showcase() {}

    /** The showcase with its tasks in memory. */
    public static McpServer server() {
        return server(Tasks.inMemory(), builder -> builder);
    }

    /**
     * The showcase with tasks in the store of the settings; their limits are set here.
     *
     * @param options sets the other options
     */
    public static McpServer server(Tasks tasks, UnaryOperator<McpServer.Builder> options) {
        Statistics statistics = new Statistics();
        // A tool needs the server, which is there once the tools are declared.
        CompletableFuture<McpServer> running = new CompletableFuture<>();
        Consumer<String> updated = uri -> running.join().resourceUpdated(uri);
        McpServer.Builder builder =
                McpServer.named(
                                new Implementation("fairlead-showcase", VERSION)
                                        .withTitle("Fairlead showcase"))
                        .instructions(
                                "Tools named test_ are fixtures of the conformance suite, interop_"
                                        + " those of peers; task_ may run as tasks.")
                        .features(ConformanceTools::declare)
                        .features(ConformanceQuestions::declare)
                        .features(ConformanceResources::declare)
                        .features(ConformancePrompts::declare)
                        .features(features -> InteropTools.declare(features, statistics, updated))
                        .features(InteropResources::declare)
                        .features(features -> TaskTools.declare(features, statistics))
                        .features(features -> ConformanceRounds.declare(features, running))
                        .features(ExtensionTasks::declare)
                        .features(InteropRounds::declare)
                        .tasks(limited(tasks));
        McpServer server = options.apply(builder).build();
        running.complete(server);
        return server;
    }

    /** All clients are anonymous, so they share the limit of one owner. */
    private static Tasks limited(Tasks tasks) {
        return tasks.listForAnonymous()
                .pollInterval(Duration.ofMillis(200))
                .maxPerOwner(10_000)
                .maxRunning(10_000)
                .operationsPerSecond(2_000);
    }
}
