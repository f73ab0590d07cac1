package dev.fairlead.cli;

import dev.fairlead.cli.hosts.FileChange;
import dev.fairlead.cli.hosts.HostFile;
import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead uninstall}. */
@Command(
        name = "uninstall",
        description = {
            "Removes a server from the file of a host.",
            "The file as it was is kept beside it."
        },
        footer = {
            "",
            "Example:",
            "  fairlead uninstall claude-desktop hello",
        })
final class Uninstall implements Callable<Integer> {
    private final Console console;

    @Mixin private @Nullable HostOptions options;

    @Option(names = "--json", description = "print exactly one JSON document on standard output")
    private boolean json;

    Uninstall(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        return new Output(console, json).answer(this::answer, HostLines::uninstalled);
    }

    private JsonObject answer() {
        HostOptions wanted = Objects.requireNonNull(options);
        HostFile file = wanted.file(console.environment());
        FileChange change = file.without(wanted.name());
        return wanted.write(file, change);
    }
}
