package dev.fairlead.cli;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Methods;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead discover}. */
@Command(
        name = "discover",
        description = "Shows name, revisions and capabilities of a server of revision 2026-07-28.",
        footer = {
            "",
            "Examples:",
            "  fairlead discover http://127.0.0.1:3000/mcp",
            "  fairlead discover --json -- fairlead serve --stdio"
        })
final class Discover implements Callable<Integer> {
    private final Runner runner;

    @Mixin private @Nullable ServerOptions options;

    Discover(Runner runner) {
        this.runner = runner;
    }

    @Override
    public Integer call() {
        return runner.run(
                Objects.requireNonNull(options),
                server -> {
                    String method = Methods.DISCOVER.name();
                    if (server.revision().era() == Era.HANDSHAKE) {
                        throw JsonRpcException.methodNotFound(method);
                    }
                    return server.request(method, JsonObject.EMPTY);
                },
                View.DISCOVERED);
    }
}
