package dev.fairlead.cli;

import dev.fairlead.cli.tasks.TaskCalls;
import dev.fairlead.cli.view.Attachment;
import dev.fairlead.cli.view.Suggestion;
import dev.fairlead.client.ClientRequests;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/** {@code fairlead tasks …}. */
@Command(
        name = "tasks",
        description = "Lists, shows and cancels tasks, and waits for their results.")
final class TasksCommand {
    private static final Set<String> VERBS = Set.of("get", "result", "cancel");

    private final Runner runner;

    TasksCommand(Runner runner) {
        this.runner = runner;
    }

    @Command(
            name = "list",
            description = "Lists all tasks that the server shows to this client.",
            footer = {
                "",
                "Revision 2026-07-28 has no such list.",
                "",
                "Example:",
                "  fairlead tasks list --revision 2025-11-25 http://127.0.0.1:3000/mcp"
            })
    int list(@Mixin ServerOptions options) {
        return runner.run(options, TasksCommand::all, View.TASKS);
    }

    private static JsonObject all(ClientRequests server) throws InterruptedException {
        if (server.revision().era() == Era.PER_REQUEST) {
            throw new JsonRpcException(
                    ErrorCode.METHOD_NOT_FOUND,
                    "revision "
                            + server.revision()
                            + " has no tasks/list; if the server speaks an older one, use"
                            + " --revision "
                            + Revision.NEWEST_WITH_HANDSHAKE);
        }
        return Lists.all(server, "tasks/list", "tasks");
    }

    @Command(
            name = "get",
            description = "Shows the status of a task.",
            footer = {
                "",
                "Example:",
                "  fairlead tasks get 786512e2-9e0d-44bd-8f29-789f320fe840 \\",
                "      http://127.0.0.1:3000/mcp"
            })
    int get(
            @Parameters(paramLabel = "ID", description = "the id of the task") String id,
            @Mixin ServerOptions options) {
        return runner.run(options, server -> server.request("tasks/get", named(id)), View.TASK);
    }

    @Command(
            name = "result",
            description = {
                "Waits until a task ends, answers its requests, and prints its result.",
                "Exits with status 1 if the tool reports an error."
            },
            footer = {
                "",
                "Example:",
                "  fairlead tasks result 786512e2-9e0d-44bd-8f29-789f320fe840 \\",
                "      http://127.0.0.1:3000/mcp"
            })
    int result(
            @Parameters(paramLabel = "ID", description = "the id of the task") String id,
            @Option(
                            names = "--out",
                            paramLabel = "PATH",
                            description =
                                    "save images, audio and resources of the result in this"
                                            + " folder, or as this new file")
                    @Nullable String out,
            @Mixin ServerOptions options) {
        Saving saving = runner.saving(out, CallToolResult.class, Attachment::of);
        return runner.run(
                options,
                (server, wait) -> new TaskCalls(server, wait).result(new TaskId(id)),
                View.TOOL_RESULT,
                answer -> saving.save(answer, Tools.status(answer)));
    }

    @Command(
            name = "cancel",
            description = "Cancels a task.",
            footer = {
                "",
                "Example:",
                "  fairlead tasks cancel 786512e2-9e0d-44bd-8f29-789f320fe840 \\",
                "      http://127.0.0.1:3000/mcp"
            })
    int cancel(
            @Parameters(paramLabel = "ID", description = "the id of the task") String id,
            @Mixin ServerOptions options) {
        return runner.run(options, server -> server.request("tasks/cancel", named(id)), View.TASK);
    }

    /**
     * Lets the id of a task begin with a dash. The word behind the verb is an id then, unless it is
     * an option or similar to one.
     */
    static void allowDashedId(CommandLine commands, List<String> typed) {
        int group = typed.indexOf("tasks");
        if (group < 0 || typed.size() < group + 3 || !VERBS.contains(typed.get(group + 1))) {
            return;
        }
        CommandLine tasks = subcommand(commands, "tasks");
        CommandLine verb = subcommand(tasks, typed.get(group + 1));
        Set<String> options = verb.getCommandSpec().optionsMap().keySet();
        String id = typed.get(group + 2);
        if (id.startsWith("-")
                && !options.contains(id.replaceFirst("=.*", ""))
                && Suggestion.question(id, options).isEmpty()) {
            verb.setUnmatchedOptionsArePositionalParams(true);
        }
    }

    private static CommandLine subcommand(CommandLine of, String name) {
        return Objects.requireNonNull(of.getSubcommands().get(name), name);
    }

    private static JsonObject named(String id) {
        return JsonObject.of("taskId", id);
    }
}
