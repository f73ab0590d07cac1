package dev.fairlead.cli;

import dev.fairlead.json.JsonObject;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
                "  fairlead resources list --json -- npx -y"
                        + " @modelcontextprotocol/server-everything"
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
                "  fairlead resources read test://static-text http://127.0.0.1:3000/mcp",
                "  fairlead resources read --json demo://resource/static/document/features.md"
                        + " -- npx -y @modelcontextprotocol/server-everything"
            })
    int read(
            @Parameters(paramLabel = "URI", description = "which resource") String uri,
            @Mixin ServerOptions options) {
        return runner.run(
                options,
                server -> server.request("resources/read", JsonObject.of("uri", uri)),
                View.RESOURCE);
    }
}
