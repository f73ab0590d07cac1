package dev.fairlead.cli;

import dev.fairlead.cli.view.Attachment;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.List;

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
                "  fairlead tools list --json -- fairlead serve --stdio"
            })
    int list(@Mixin ServerOptions options) {
        return runner.run(options, server -> Lists.all(server, "tools/list", "tools"), View.TOOLS);
    }

    @Command(
            name = "show",
            description =
                    "Shows one tool: its arguments and result with nested members, and a call.",
            footer = {
                "",
                "Examples:",
                "  fairlead tools show find_trains http://127.0.0.1:3000/mcp",
                "  fairlead tools show find_trains --json -- fairlead serve --stdio"
            })
    int show(
            @Parameters(paramLabel = "NAME", description = "the name of the tool") String name,
            @Mixin ServerOptions options) {
        return runner.run(options, server -> new ListedTools(server).one(name), View.TOOL);
    }

    @Command(
            name = "call",
            customSynopsis = "fairlead tools call NAME [KEY=VALUE...] [OPTIONS] [TARGET]",
            description = {
                "Calls a tool.",
                "Exits with status 1 if the tool reports an error; the result is printed in any"
                        + " case.",
                "As a task it continues after you stop waiting: fairlead tasks result fetches"
                        + " its result."
            },
            footer = {
                "",
                "Examples:",
                "  fairlead tools call find_trains from=Zurich to=Rome http://127.0.0.1:3000/mcp",
                "  fairlead tools call ride_along train=NT1 pace:=0.01 http://127.0.0.1:3000/mcp",
                "  fairlead tools call show_route --args '{\"train\": \"NT5\"}' \\",
                "      http://127.0.0.1:3000/mcp",
                "  echo '{\"train\": \"NT5\"}' | fairlead tools call show_route --args - \\",
                "      -- fairlead serve --stdio",
                "  fairlead tools call book_berth train=NT2 from=Zurich to=Vienna \\",
                "      http://127.0.0.1:3000/mcp --elicit '{\"name\": \"Ada\"}'",
                "  fairlead tools call plan_trip start=Zurich nights:=1 --task --ttl 60000 \\",
                "      http://127.0.0.1:3000/mcp --elicit '{\"plan\": \"FIRST\"}'"
            })
    int call(
            @Parameters(paramLabel = "NAME", description = "the name of the tool") String name,
            @Option(
                            names = "--args",
                            paramLabel = "JSON",
                            description =
                                    "the arguments, an object; @FILE reads it from a file, - from"
                                            + " standard input; KEY=VALUE replaces its members")
                    @Nullable String arguments,
            @Option(
                            names = "--task",
                            description =
                                    "call it as a task and wait for the result; a tool that"
                                            + " requires a task is called as one in any case")
                    boolean task,
            @Option(
                            names = "--ttl",
                            paramLabel = "MS",
                            description =
                                    "how long the server should keep the task, in milliseconds;"
                                            + " without effect in revision 2026-07-28")
                    @Nullable Long ttl,
            @Option(names = "--no-wait", description = "print the task and do not wait for it")
                    boolean noWait,
            @Option(
                            names = "--out",
                            paramLabel = "PATH",
                            description =
                                    "save images, audio and resources of the result in this"
                                            + " folder, or as this new file")
                    @Nullable String out,
            @Parameters(
                            index = "2..*",
                            paramLabel = "KEY=VALUE",
                            description =
                                    "arguments, converted by the tool's schema: a string where the"
                                            + " schema allows one, otherwise JSON. A repeated key"
                                            + " makes an array; KEY:=JSON is always JSON")
                    @Nullable List<String> more,
            @Mixin ServerOptions options) {
        if (noWait && out != null) {
            throw new UsageException(
                    "--out and --no-wait exclude each other: without waiting there is no result");
        }
        Saving saving = runner.saving(out, CallToolResult.class, Attachment::of);
        ToolCall call =
                ToolCall.of(name, runner.object("--args", arguments), task, ttl, noWait)
                        .withWords(options.takeArguments(more == null ? List.of() : more));
        return runner.run(
                options,
                (server, wait) -> call.make(server.withProgress(runner.progress()), wait),
                View.CALLED,
                answer -> saving.save(answer, status(answer)));
    }

    /** Returns the exit status for the result of a tool. */
    static int status(JsonObject result) {
        return switch (result.get("isError")) {
            case null -> ExitStatus.OK;
            case JsonNull absent -> ExitStatus.OK;
            case JsonBoolean error when !error.value() -> ExitStatus.OK;
            default -> ExitStatus.TOOL_FAILED; // also a value that is neither true nor false
        };
    }
}
