package dev.fairlead.cli;

import dev.fairlead.cli.view.ServerCard;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead info}. */
@Command(
        name = "info",
        description =
                "Shows the name, the revision, the capabilities and the instructions of a server.",
        footer = {
            "",
            "Examples:",
            "  fairlead info http://127.0.0.1:3000/mcp",
            "  fairlead info --json -- fairlead serve --stdio"
        })
final class Info implements Callable<Integer> {
    private final Runner runner;

    @Mixin private @Nullable ServerOptions options;

    Info(Runner runner) {
        this.runner = runner;
    }

    @Override
    public Integer call() {
        return runner.lines(
                Objects.requireNonNull(options),
                client -> {},
                (server, output) ->
                        output.answer(
                                answer(server),
                                (answer, screen) -> ServerCard.lines(server, screen)));
    }

    private static JsonObject answer(McpClient server) {
        JsonObject answer =
                JsonObject.of(
                        "serverInfo",
                        JsonCodec.of(Implementation.class).toValue(server.serverInfo()),
                        "protocolVersion",
                        server.revision().toString(),
                        "capabilities",
                        JsonCodec.of(ServerCapabilities.class)
                                .toValue(server.serverCapabilities()));
        return server.instructions().map(text -> answer.with("instructions", text)).orElse(answer);
    }
}
