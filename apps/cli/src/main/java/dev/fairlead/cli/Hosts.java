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
import picocli.CommandLine.Option;

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

    @Option(
            names = "--check",
            description = "connect to each server and show its name and revision")
    private boolean check;

    @Mixin private @Nullable TrustOptions trust;

    @Mixin private @Nullable RevisionOption revision;

    @Option(names = "--json", description = "print exactly one JSON document on standard output")
    private boolean json;

    @Option(
            names = "--timeout",
            paramLabel = "MS",
            defaultValue = "30000",
            description = "how long --check waits for each server, in milliseconds")
    private long timeout;

    Hosts(Console console, Interrupts interrupts) {
        this.console = console;
        this.interrupts = interrupts;
    }

    @Override
    public Integer call() {
        Output output = new Output(console, json);
        try {
            List<JsonObject> servers = new ArrayList<>();
            for (HostFile file :
                    new HostServers(Platform.current(), console.environment()).files()) {
                servers.addAll(servers(file));
            }
            output.answer(
                    JsonObject.of("servers", servers),
                    (answer, screen) -> ServerList.lines(Servers.rows(answer), screen));
            boolean broken = servers.stream().anyMatch(server -> server.has("error"));
            return check && broken ? ExitStatus.NO_ANSWER : ExitStatus.OK;
        } catch (RuntimeException | InterruptedException e) {
            return output.failure(Failure.of(e));
        }
    }

    /** The servers of one file; one that cannot be read costs no other. */
    private List<JsonObject> servers(HostFile file) throws InterruptedException {
        List<JsonObject> described = new ArrayList<>();
        String host = file.host().word();
        try {
            ServersFile servers = file.servers(console.environment()).orElse(null);
            if (servers != null) {
                for (JsonObject server : described(servers)) {
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

    private List<JsonObject> described(ServersFile servers) throws InterruptedException {
        Objects.requireNonNull(revision).revision(); // is checked before a server is needed
        if (!check) {
            return servers.names().stream()
                    .map(name -> ServerCheck.described(servers, name))
                    .toList();
        }
        ServerCheck all =
                new ServerCheck(
                        servers,
                        ServerOptions.timeout(timeout),
                        target -> Objects.requireNonNull(trust).trusting(target),
                        Objects.requireNonNull(revision)::restrict);
        return interrupts.during(all::all);
    }
}
