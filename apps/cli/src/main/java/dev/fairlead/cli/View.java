package dev.fairlead.cli;

import dev.fairlead.cli.view.CompletionList;
import dev.fairlead.cli.view.Conversation;
import dev.fairlead.cli.view.PromptList;
import dev.fairlead.cli.view.ReadResult;
import dev.fairlead.cli.view.ResourceList;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.TaskList;
import dev.fairlead.cli.view.ToolList;
import dev.fairlead.cli.view.ToolPage;
import dev.fairlead.cli.view.ToolResult;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourceTemplatesResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.ListTasksResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.versioning.DiscoverResult;

import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Shows an answer to people. */
@FunctionalInterface
interface View {
    View TOOLS = of(ListToolsResult.class, (list, screen) -> ToolList.lines(list.tools(), screen));
    View TOOL = of(Tool.class, ToolPage::lines);
    View TOOL_RESULT = of(CallToolResult.class, ToolResult::lines);
    View TASKS =
            of(
                    ListTasksResult.class,
                    (list, screen) -> TaskList.lines(list.tasks(), Instant.now(), screen));

    /** A task of either design; an acknowledgement has none. */
    View TASK =
            (answer, screen) ->
                    answer.has("taskId")
                            ? TaskList.one(task(answer), Instant.now(), screen)
                            : List.of("The server was asked to cancel the task.");

    View CREATED_TASK =
            of(
                    CreateTaskResult.class,
                    (created, screen) -> TaskList.one(created.task(), Instant.now(), screen));

    /** The result of a tool, or the task that it became. */
    View CALLED =
            (answer, screen) -> {
                if (answer.has("content")) {
                    return TOOL_RESULT.lines(answer, screen);
                }
                return (answer.has("task")
                                ? CREATED_TASK
                                : answer.has("taskId") ? TASK : TOOL_RESULT)
                        .lines(answer, screen);
            };

    View RESOURCES =
            of(
                    ListResourcesResult.class,
                    (list, screen) -> ResourceList.resources(list.resources(), screen));
    View RESOURCE_TEMPLATES =
            of(
                    ListResourceTemplatesResult.class,
                    (list, screen) -> ResourceList.templates(list.resourceTemplates(), screen));
    View RESOURCE = of(ReadResourceResult.class, ReadResult::lines);
    View PROMPTS =
            of(ListPromptsResult.class, (list, screen) -> PromptList.lines(list.prompts(), screen));
    View PROMPT = of(GetPromptResult.class, Conversation::lines);
    View COMPLETION =
            of(
                    CompleteResult.class,
                    (result, screen) -> CompletionList.lines(result.completion(), screen));
    View DISCOVERED = of(DiscoverResult.class, (result, screen) -> discovered(result));
    View PONG = (answer, screen) -> List.of("The server answered.");
    View NOTHING = (answer, screen) -> List.of();

    /**
     * The lines that show the answer of the server.
     *
     * @throws dev.fairlead.json.JsonBindingException if the answer does not conform to the protocol
     */
    List<String> lines(JsonObject answer, Screen screen);

    private static Task task(JsonObject answer) {
        return answer.has("ttlMs")
                ? read(DetailedTask.class, answer).task()
                : read(Task.class, answer);
    }

    /** Describes a server by its answer to {@code server/discover}. */
    private static List<String> discovered(DiscoverResult result) {
        List<String> lines = new ArrayList<>();
        if (result.meta() instanceof JsonObject meta
                && meta.get(MetaKey.SERVER_INFO) instanceof JsonObject server) {
            lines.add(Printable.line(text(server, "name") + " " + text(server, "version")));
        }
        lines.add("Revisions: " + Printable.line(String.join(", ", result.supportedVersions())));
        JsonValue able = JsonCodec.of(ServerCapabilities.class).toValue(result.capabilities());
        lines.add(
                "Capabilities: " + Printable.line(String.join(", ", ((JsonObject) able).names())));
        if (result.instructions() != null) {
            lines.add("Instructions: " + Printable.line(result.instructions()));
        }
        return lines;
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString text ? text.value() : "";
    }

    private static <R> View of(Class<R> type, BiFunction<R, Screen, List<String>> lines) {
        // The codec takes time to make, and scripts never need it.
        return (answer, screen) -> lines.apply(read(type, answer), screen);
    }

    /**
     * Reads an answer without the parts that cannot be read, and logs those.
     *
     * @throws dev.fairlead.json.JsonBindingException if the rest does not conform to the protocol
     */
    static <R> R read(Class<R> type, JsonObject answer) {
        return JsonCodec.of(type).tolerant(View::leftOut).read(answer);
    }

    private static void leftOut(List<JsonViolation> first, int all) {
        System.getLogger(View.class.getName())
                .log(
                        Level.WARNING,
                        "The answer is shown without the parts that cannot be read: {0} ({1} in"
                                + " all)",
                        Printable.excerpt(first.get(0).toString()),
                        all);
    }
}
