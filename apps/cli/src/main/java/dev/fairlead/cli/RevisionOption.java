package dev.fairlead.cli;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.Revision;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.util.List;
import java.util.Optional;

/** The revision that a command uses with servers. */
final class RevisionOption {
    @Option(
            names = "--revision",
            paramLabel = "DATE",
            description =
                    "the revision of the protocol to speak, such as 2026-07-28; by default the"
                            + " newest that the server speaks")
    private @Nullable String date;

    /**
     * The revision that the user set; empty where it is to be found out.
     *
     * @throws UsageException if there is none of that name
     */
    Optional<Revision> revision() {
        String wanted = date;
        if (wanted == null) {
            return Optional.empty();
        }
        return Optional.of(
                Revision.of(wanted)
                        .orElseThrow(
                                () ->
                                        new UsageException(
                                                "--revision must be one of "
                                                        + String.join(
                                                                ", ",
                                                                Revision.dates(
                                                                        List.of(Revision.values())))
                                                        + " but was "
                                                        + wanted)));
    }

    /**
     * Restricts a client to the revision that the user set.
     *
     * @throws UsageException if there is none of that name
     */
    void restrict(McpClient.Builder client) {
        revision().ifPresent(only -> client.revisions(only, only));
    }
}
