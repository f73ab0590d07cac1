package dev.fairlead.cli;

import dev.fairlead.cli.hosts.HostServers;
import dev.fairlead.cli.servers.Environment;
import dev.fairlead.cli.servers.Target;
import dev.fairlead.cli.servers.Targets;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.util.Objects;

/** The server of a command about logins. */
final class LoginTarget {
    @Parameters(
            paramLabel = "URL",
            description = "the URL of the server, or its name in the servers file")
    private @Nullable String named;

    @Option(
            names = "--servers",
            paramLabel = "FILE",
            description = "the servers file to use instead of the default one")
    private @Nullable Path serversFile;

    @Mixin private @Nullable TrustOptions trust;

    @Option(names = "--json", description = "print exactly one JSON document on standard output")
    boolean json;

    /**
     * The server.
     *
     * @param environment has the servers file, where none is named
     * @throws UsageException if it has no login, since it is a program
     */
    Target.Endpoint endpoint(Environment environment) {
        Targets targets = HostServers.targets(serversFile, environment);
        return switch (targets.named(Objects.requireNonNull(named), null)) {
            case Target.Endpoint endpoint -> Objects.requireNonNull(trust).trusting(endpoint);
            case Target.Program program ->
                    throw new UsageException(
                            program.label() + " is started as a program and needs no login");
        };
    }
}
