package dev.fairlead.cli;

import dev.fairlead.cli.view.Attachment;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.CallToolResult;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
            footer = {
                "",
                "Examples:",
                "  fairlead tools list http://127.0.0.1:3000/mcp",
                "  fairlead tools list --json -- npx -y @modelcontextprotocol/server-everything"
            })
    int list(@Mixin ServerOptions options) {
        return runner.run(options, server -> Lists.all(server, "tools/list", "tools"), View.TOOLS);
    }

    @Command(
            name = "call",
            description = {
                "Calls a tool.",
                "Ends with status 1 if the tool answers that it failed; its result is printed all"
                        + " the same.",
                "As a task it goes on also when nobody waits: fairlead tasks result comes back to"
                        + " it."
            },
            footer = {
                "",
                "Examples:",
                "  fairlead tools call interop_echo --args '{\"text\": \"hello\"}' \\",
                "      http://127.0.0.1:3000/mcp",
                "  fairlead tools call echo --args @arguments.json -- npx -y \\",
                "      @modelcontextprotocol/server-everything",
                "  fairlead tools call test_elicitation --elicit '{\"username\": \"ada\"}' \\",
                "      --args '{\"message\": \"Who?\"}' http://127.0.0.1:3000/mcp",
                "  fairlead tools call task_echo --args '{\"text\": \"soon\"}' --task --ttl 60000"
                        + " \\",
                "      http://127.0.0.1:3000/mcp"
            })
    int call(
            @Parameters(paramLabel = "NAME", description = "which tool") String name,
            @Option(
                            names = "--args",
                            paramLabel = "JSON",
                            description =
                                    "the arguments, an object; @FILE reads it from a file, - from"
                                            + " standard input")
                    @Nullable String arguments,
            @Option(
                            names = "--task",
                            description =
                                    "call it as a task, and wait for that; a tool that requires a"
                                            + " task is called as one without it, too")
                    boolean task,
            @Option(
                            names = "--ttl",
                            paramLabel = "MS",
                            description =
                                    "for how long the server is asked to keep the task, in"
                                            + " milliseconds")
                    @Nullable Long ttl,
            @Option(
                            names = "--no-wait",
                            description = "do not wait for the task, but print which it is")
                    boolean noWait,
            @Option(
                            names = "--out",
                            paramLabel = "PATH",
                            description =
                                    "save images, sounds and resources of the result in this"
                                            + " folder, or as this new file")
                    @Nullable String out,
            @Mixin ServerOptions options) {
        if (noWait && out != null) {
            throw new UsageException("--out saves a result, and --no-wait waits for none");
        }
        Saving saving = runner.saving(out, CallToolResult.class, Attachment::of);
        ToolCall call = ToolCall.of(name, runner.object("--args", arguments), task, ttl, noWait);
        return runner.run(
                options,
                (server, wait) -> call.make(server.withProgress(runner.progress()), wait),
                View.CALLED,
                answer -> saving.save(answer, status(answer)));
    }

    /** What the result of a tool means for the exit status. */
    static int status(JsonObject result) {
        return result.get("isError") instanceof JsonBoolean error && error.value()
                ? ExitStatus.TOOL_FAILED
                : ExitStatus.OK;
    }
}
