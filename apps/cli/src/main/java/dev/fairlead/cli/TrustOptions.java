package dev.fairlead.cli;

import dev.fairlead.cli.servers.Target;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;

/** Whom a command trusts that talks to servers over HTTPS. */
final class TrustOptions {
    @Option(
            names = "--cacert",
            paramLabel = "PEM",
            description =
                    "trust only the certificates in this file when servers are reached"
                            + " over HTTPS")
    private @Nullable Path certificates;

    /** The file with the certificates; null where the usual ones are trusted. */
    @Nullable Path certificates() {
        return certificates;
    }

    /**
     * The same server, with that trust where it is behind a URL.
     *
     * @throws UsageException if the file cannot be used
     */
    Target trusting(Target target) {
        return target instanceof Target.Endpoint endpoint ? trusting(endpoint) : target;
    }

    /** The same for a server behind a URL. */
    Target.Endpoint trusting(Target.Endpoint endpoint) {
        if (certificates == null) {
            return endpoint;
        }
        try {
            return new Target.Endpoint(
                    endpoint.label(), endpoint.remote().trust(certificates), endpoint.transport());
        } catch (IOException e) {
            throw new UsageException("--cacert: " + e.getMessage());
        }
    }
}
