package dev.fairlead.cli;

import dev.fairlead.cli.hosts.FileChange;
import dev.fairlead.cli.hosts.Host;
import dev.fairlead.cli.hosts.HostFile;
import dev.fairlead.cli.hosts.Platform;
import dev.fairlead.cli.servers.Environment;
import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The host, its file and the name of a server in it. */
final class HostOptions {
    /** The word in the place of a host whose file is printed, not written. */
    static final String JSON = "json";

    /** The names that all hosts accept. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    @Parameters(
            index = "0",
            paramLabel = "HOST",
            description =
                    "claude-code, claude-desktop, vscode, cursor, codex or gemini-cli; install also"
                            + " takes json, which prints the definition for any other host")
    private @Nullable String host;

    @Parameters(index = "1", paramLabel = "NAME", description = "the server's name in the host")
    private @Nullable String name;

    @Option(
            names = "--project",
            description =
                    "use the host's file for the project in this folder, not that of the user")
    private boolean project;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "use this file instead of the host's usual one")
    private @Nullable Path file;

    @Option(names = "--dry-run", description = "show the change and write nothing")
    private boolean dryRun;

    boolean isJson() {
        return JSON.equals(host);
    }

    /**
     * The host.
     *
     * @throws UsageException if it is unknown
     */
    Host host() {
        String word = Objects.requireNonNull(host);
        return Host.of(word)
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "unknown host "
                                                + word
                                                + "; it is one of "
                                                + Stream.of(Host.values())
                                                        .map(Host::word)
                                                        .collect(Collectors.joining(", "))));
    }

    /**
     * The name of the server.
     *
     * @throws UsageException if some host would not accept it
     */
    String name() {
        String given = Objects.requireNonNull(name);
        if (!NAME.matcher(given).matches()) {
            throw new UsageException(
                    "the name of a server in a host has up to 64 letters, digits, _ and -, but was "
                            + given);
        }
        return given;
    }

    /**
     * The file that the options name.
     *
     * @throws UsageException if the host has no such file
     */
    HostFile file(Environment environment) {
        Path named = file;
        if (named != null && project) {
            throw new UsageException("--file and --project exclude each other");
        }
        if (named != null) {
            return HostFile.at(host(), named, environment);
        }
        if (!project) {
            return HostFile.ofUser(host(), Platform.current(), environment);
        }
        return HostFile.ofProject(host(), environment)
                .orElseThrow(() -> new UsageException(host() + " has no file for a project"));
    }

    /**
     * Writes a change of the file, unless it is only to be shown.
     *
     * @return the answer of the command
     */
    JsonObject write(HostFile changed, FileChange change) {
        Optional<Path> copy = dryRun ? Optional.empty() : change.write(LocalDateTime.now());
        JsonObject answer =
                JsonObject.of(
                        "host",
                        changed.host().word(),
                        "file",
                        changed.path().toString(),
                        "name",
                        name(),
                        "written",
                        !dryRun);
        return copy.map(path -> answer.with("copy", path.toString())).orElse(answer);
    }
}
