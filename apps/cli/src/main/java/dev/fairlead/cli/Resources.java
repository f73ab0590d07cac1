package dev.fairlead.cli;

import dev.fairlead.cli.view.Attachment;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.resources.ReadResourceResult;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fairlead resources …}. */
@Command(name = "resources", description = "Lists and reads the resources of a server.")
final class Resources {
    private final Runner runner;

    Resources(Runner runner) {
        this.runner = runner;
    }

    @Command(
            name = "list",
            description = "Lists all resources.",
            footer = {
                "",
                "Examples:",
                "  fairlead resources list http://127.0.0.1:3000/mcp",
                "  fairlead resources list --json -- fairlead serve --stdio"
            })
    int list(@Mixin ServerOptions options) {
        return runner.run(
                options,
                server -> Lists.all(server, "resources/list", "resources"),
                View.RESOURCES);
    }

    @Command(
            name = "templates",
            description = "Lists all resource templates.",
            footer = {"", "Example:", "  fairlead resources templates http://127.0.0.1:3000/mcp"})
    int templates(@Mixin ServerOptions options) {
        return runner.run(
                options,
                server -> Lists.all(server, "resources/templates/list", "resourceTemplates"),
                View.RESOURCE_TEMPLATES);
    }

    @Command(
            name = "read",
            description = "Reads a resource.",
            footer = {
                "",
                "Examples:",
                "  fairlead resources read tour://guide http://127.0.0.1:3000/mcp",
                "  fairlead resources read --json tour://guide -- fairlead serve --stdio"
            })
    int read(
            @Parameters(paramLabel = "URI", description = "the URI of the resource") String uri,
            @Option(
                            names = "--out",
                            paramLabel = "PATH",
                            description = "save the resource in this folder, or as this new file")
                    @Nullable String out,
            @Mixin ServerOptions options) {
        Saving saving = runner.saving(out, ReadResourceResult.class, Attachment::of);
        return runner.run(
                options,
                server ->
                        server.withProgress(runner.progress())
                                .request("resources/read", JsonObject.of("uri", uri)),
                out == null ? View.RESOURCE : View.NOTHING,
                answer -> saving.save(answer, ExitStatus.OK));
    }
}
