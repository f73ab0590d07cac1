package dev.fairlead.cli;

import dev.fairlead.cli.hosts.HostFile;
import dev.fairlead.cli.hosts.HostServers;
import dev.fairlead.cli.hosts.Platform;
import dev.fairlead.cli.servers.ServersFile;
import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.cli.view.ServerList;
import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead hosts}. */
@Command(
        name = "hosts",
        description = {
            "Lists the servers in the files of hosts; HOST:NAME can be used as TARGET.",
            "The hosts are Claude Code, Claude Desktop, VS Code, Cursor, Codex and Gemini CLI:"
                    + " their files for the user, and for the project in this folder."
        },
        footer = {"", "Examples:", "  fairlead hosts", "  fairlead hosts --check --timeout 5000"})
final class Hosts implements Callable<Integer> {
    private final Console console;
    private final Interrupts interrupts;

    @Mixin private @Nullable CheckOptions options;

    Hosts(Console console, Interrupts interrupts) {
        this.console = console;
        this.interrupts = interrupts;
    }

    @Override
    public Integer call() {
        CheckOptions given = Objects.requireNonNull(options);
        Output output = new Output(console, given.json);
        try {
            List<JsonObject> servers = new ArrayList<>();
            for (HostFile file :
                    new HostServers(Platform.current(), console.environment()).files()) {
                servers.addAll(servers(file, given));
            }
            output.answer(
                    JsonObject.of("servers", servers),
                    (answer, screen) -> ServerList.lines(Servers.rows(answer), screen));
            return given.status(servers);
        } catch (RuntimeException | InterruptedException e) {
            return output.failure(Failure.of(e));
        }
    }

    /** The servers of one file; one that cannot be read costs no other. */
    private List<JsonObject> servers(HostFile file, CheckOptions given)
            throws InterruptedException {
        List<JsonObject> described = new ArrayList<>();
        String host = file.host().word();
        try {
            ServersFile servers = file.servers(console.environment()).orElse(null);
            if (servers != null) {
                for (JsonObject server : given.described(servers, interrupts)) {
                    described.add(
                            server.with("name", host + ":" + server.string("name"))
                                    .with("host", host)
                                    .with("file", file.path().toString()));
                }
            }
        } catch (TargetException e) {
            described.add(
                    JsonObject.of(
                            "name",
                            host + ":",
                            "host",
                            host,
                            "file",
                            file.path().toString(),
                            "error",
                            e.getMessage()));
        }
        return described;
    }
}
