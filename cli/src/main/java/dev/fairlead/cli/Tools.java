package dev.fairlead.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fairlead tools …}. */
@Command(name = "tools", description = "Lists and calls the tools of a server.")
final class Tools {
    private final Runner runner;

    Tools(Runner runner) {
        this.runner = runner;
    }

    @Command(
            name = "list",
            description = "Lists all tools.",
            footer = {"", "Example:", "  fairlead tools list http://127.0.0.1:3000/mcp"})
    int list(@Mixin ServerOptions options) {
        return runner.run(
                options,
                server -> Lists.all(server, "tools/list", "tools"),
                (answer, console) -> console.out().println(answer.toJson()));
    }
}
