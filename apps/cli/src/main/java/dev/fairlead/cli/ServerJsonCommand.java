package dev.fairlead.cli;

import dev.fairlead.cli.publish.Bundle;
import dev.fairlead.cli.publish.PublishedServer;
import dev.fairlead.cli.publish.ServerJson;
import dev.fairlead.cli.view.IndentedJson;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.platform.UserFiles;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead server-json}. */
@Command(
        name = "server-json",
        description = {
            "Prints the server.json of a running server, for the registry of MCP servers.",
            "Version, title, description and tools are those of the server. A public URL as TARGET"
                    + " becomes a remote of the document."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead server-json --name io.github.ada/hello --description 'Says hello' \\",
            "      --image docker.io/ada/hello:1.0.0 -- fairlead serve --stdio",
            "  fairlead server-json --name io.github.ada/hello --description 'Says hello' \\",
            "      --image docker.io/ada/hello:1.0.0 http://127.0.0.1:3000/mcp"
        })
final class ServerJsonCommand implements Callable<Integer> {
    private final Console console;
    private final Runner runner;

    @Mixin private @Nullable ServerOptions options;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "the name in the registry, such as io.github.USER/SERVER")
    private @Nullable String name;

    @Option(
            names = "--description",
            paramLabel = "TEXT",
            description = "at most 100 characters; by default that of the server")
    private @Nullable String description;

    @Option(
            names = "--repository",
            paramLabel = "URL",
            description = "the page of the sources, such as https://github.com/USER/SERVER")
    private @Nullable String repository;

    @Option(
            names = "--image",
            paramLabel = "REFERENCE",
            description = "an image of a container that serves over stdio")
    private @Nullable String image;

    @Option(
            names = "--mcpb",
            paramLabel = "URL",
            description = "where a bundle of fairlead bundle can be fetched; needs --file")
    private @Nullable String mcpb;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "the same bundle on this machine, whose digest is written")
    private @Nullable Path file;

    ServerJsonCommand(Console console, Runner runner) {
        this.console = console;
        this.runner = runner;
    }

    @Override
    public Integer call() {
        return runner.lines(
                Objects.requireNonNull(options),
                client -> {},
                (server, output) ->
                        output.answer(
                                json(server), (answer, screen) -> IndentedJson.lines(answer)));
    }

    private JsonObject json(McpClient server) throws InterruptedException {
        if ((mcpb == null) != (file == null)) {
            throw new UsageException("--mcpb URL and --file FILE belong together");
        }
        ServerJson document =
                new ServerJson(PublishedServer.of(server))
                        .name(name)
                        .description(description)
                        .repository(repository);
        if (image != null) {
            document.image(image);
        }
        if (mcpb != null) {
            document.bundle(mcpb, digest(Objects.requireNonNull(file)));
        }
        String target = Objects.requireNonNull(options).target;
        if (target != null && target.contains("://")) {
            document.remote(target);
        }
        return document.json();
    }

    private String digest(Path bundle) {
        try {
            return Bundle.sha256(console.environment().directory().resolve(bundle));
        } catch (IOException e) {
            throw new UsageException("--file cannot be read: " + UserFiles.reason(e));
        }
    }
}
