package dev.fairlead.cli;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/** {@code fairlead ping}. */
@Command(
        name = "ping",
        description = "Checks that a server answers.",
        footer = {"", "Example:", "  fairlead ping http://127.0.0.1:3000/mcp"})
final class Ping implements Callable<Integer> {
    private final Runner runner;

    @Mixin private @Nullable ServerOptions options;

    Ping(Runner runner) {
        this.runner = runner;
    }

    @Override
    public Integer call() {
        return runner.run(
                java.util.Objects.requireNonNull(options),
                server -> {
                    server.ping();
                    return JsonObject.EMPTY;
                },
                View.PONG);
    }
}
