package dev.fairlead.cli;

import dev.fairlead.cli.servers.ServersFile;
import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Objects;

/** The options of commands that list servers, and connect to them if that is wanted. */
final class CheckOptions {
    @Mixin private @Nullable TrustOptions trust;

    @Mixin private @Nullable RevisionOption revision;

    @Option(
            names = "--check",
            description = "connect to each server and show its name and revision")
    private boolean check;

    @Option(names = "--json", description = "print exactly one JSON document on standard output")
    boolean json;

    @Option(
            names = "--timeout",
            paramLabel = "MS",
            defaultValue = "30000",
            description = "how long --check waits for each server, in milliseconds")
    private long timeout;

    /**
     * Describes the servers of a file, as {@link ServerCheck} does, with their answers if {@code
     * --check} is set.
     *
     * @throws UsageException if an option cannot be used
     */
    List<JsonObject> described(ServersFile servers, Interrupts interrupts)
            throws InterruptedException {
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

    /** The exit status for servers that were described. */
    int status(List<JsonObject> described) {
        boolean broken = described.stream().anyMatch(server -> server.has("error"));
        return check && broken ? ExitStatus.NO_ANSWER : ExitStatus.OK;
    }
}
