package dev.fairlead.cli;

import dev.fairlead.cli.servers.ServersFile;
import dev.fairlead.cli.view.ServerList;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.Implementation;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead servers}. */
@Command(
        name = "servers",
        description = "Lists the servers in the servers file; a name can be used as TARGET.",
        footer = {
            "",
            "Uses the file given by --servers, else $FAIRLEAD_SERVERS, else ./.mcp.json,",
            "./mcp.json or $XDG_CONFIG_HOME/fairlead/servers.json.",
            "",
            "Examples:",
            "  fairlead servers",
            "  fairlead servers --check --timeout 5000",
            "  fairlead servers --check --revision 2025-11-25",
            "  fairlead servers --json --servers ~/mcp.json"
        })
final class Servers implements Callable<Integer> {
    private final Console console;
    private final Interrupts interrupts;

    @Option(
            names = "--servers",
            paramLabel = "FILE",
            description = "the servers file to use instead of the default one")
    private @Nullable Path file;

    @Mixin private @Nullable CheckOptions options;

    Servers(Console console, Interrupts interrupts) {
        this.console = console;
        this.interrupts = interrupts;
    }

    @Override
    public Integer call() {
        CheckOptions given = Objects.requireNonNull(options);
        Output output = new Output(console, given.json);
        try {
            ServersFile servers = servers();
            List<JsonObject> entries = given.described(servers, interrupts);
            output.answer(
                    JsonObject.of("file", servers.path().toString(), "servers", entries),
                    (answer, screen) -> ServerList.lines(rows(answer), screen));
            return given.status(entries);
        } catch (RuntimeException | InterruptedException e) {
            return output.failure(Failure.of(e));
        }
    }

    private ServersFile servers() {
        return ServersFile.find(file, console.environment())
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "no servers file found; give one by --servers FILE"));
    }

    static List<ServerList.Row> rows(JsonObject answer) {
        return answer.array("servers").elements().stream()
                .map(server -> row((JsonObject) server))
                .toList();
    }

    private static ServerList.Row row(JsonObject server) {
        return new ServerList.Row(
                server.string("name"),
                server.has("transport") ? server.string("transport") : "",
                server.has("target") ? server.string("target") : "",
                state(server));
    }

    private static String state(JsonObject server) {
        if (server.has("disabled")) {
            return "disabled";
        }
        if (!server.has("serverInfo")) {
            return server.has("error") ? server.string("error") : "";
        }
        Implementation info = JsonCodec.of(Implementation.class).read(server.object("serverInfo"));
        return "%s %s (%s)"
                .formatted(info.displayName(), info.version(), server.string("protocolVersion"));
    }
}
