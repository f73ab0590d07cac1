package dev.fairlead.cli;

import dev.fairlead.cli.publish.Bundle;
import dev.fairlead.cli.view.LogLine;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead bundle}. */
@Command(
        name = "bundle",
        customSynopsis = "fairlead bundle JAR [OPTIONS] [-- ARGUMENT...]",
        description = {
            "Makes one file (.mcpb) that hosts install: a server with a Java runtime of its own.",
            "Links the runtime with jlink, starts the server on it over stdio, and writes its tools"
                    + " into the manifest. The bundle is for the operating system and processor of"
                    + " this machine."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead bundle target/hello.jar --description 'Says hello'",
            "  fairlead bundle target/hello.jar --env HELLO_TOKEN --out hello.mcpb"
        })
final class BundleCommand implements Callable<Integer> {
    private final Console console;
    private final Interrupts interrupts;
    private final Invocation invocation;

    @Parameters(paramLabel = "JAR", description = "one jar that starts the server over stdio")
    private @Nullable Path jar;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "the file to write; by default NAME-VERSION.mcpb in this folder")
    private @Nullable Path out;

    @Option(
            names = "--author",
            paramLabel = "NAME",
            description = "the publisher; by default the user of this machine")
    private String author = System.getProperty("user.name");

    @Option(
            names = "--description",
            paramLabel = "TEXT",
            description = "by default that of the server")
    private @Nullable String description;

    @Option(
            names = "--modules",
            paramLabel = "LIST",
            description = "the modules of the runtime, where jdeps does not find them all")
    private @Nullable String modules;

    @Option(
            names = "--env",
            paramLabel = "NAME",
            description =
                    "an environment variable that the host asks the person for, as a secret;"
                            + " repeatable")
    private List<String> environment = new ArrayList<>();

    @Option(names = "--json", description = "print exactly one JSON document on standard output")
    private boolean json;

    BundleCommand(Console console, Interrupts interrupts, Invocation invocation) {
        this.console = console;
        this.interrupts = interrupts;
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        Output output = new Output(console, json);
        try {
            output.answer(interrupts.during(this::written), BundleCommand::lines);
            return ExitStatus.OK;
        } catch (RuntimeException | InterruptedException e) {
            return output.failure(Failure.of(e));
        }
    }

    private JsonObject written() throws InterruptedException {
        Path directory = console.environment().directory();
        Path file = directory.resolve(Objects.requireNonNull(jar));
        if (!Files.isRegularFile(file)) {
            throw new UsageException("no such jar: " + file + "; build it first");
        }
        List<String> arguments = invocation.server();
        return new Bundle(file, arguments == null ? List.of() : arguments, values(), modules)
                .write(author, description, directory, out, this::say);
    }

    private Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : environment) {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                throw new UsageException("--env needs the name of a variable but was " + name);
            }
            values.put(name, console.environment().variables().getOrDefault(name, ""));
        }
        return values;
    }

    private static List<String> lines(JsonObject answer, Screen screen) {
        JsonObject manifest = answer.object("manifest");
        long bytes = answer.get("bytes") instanceof JsonNumber number ? number.longValue() : 0;
        return List.of(
                Printable.line(
                        "Wrote %s (%s MiB) with %s tools for %s"
                                .formatted(
                                        answer.string("file"),
                                        bytes >> 20,
                                        manifest.array("tools").elements().size(),
                                        manifest.object("compatibility")
                                                .array("platforms")
                                                .toJson())),
                "SHA-256: " + answer.string("fileSha256"),
                "Open the file with a host such as Claude Desktop to install it.");
    }

    private void say(String line) {
        console.status().print(LogLine.ofStandardError("server", line, console.errorScreen()));
    }
}
