package dev.fairlead.showcase;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.Range;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.Features;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;

import java.time.Duration;

/** The tools that may or must be called as a task; each has one body for both ways. */
final class TaskTools {
    /** A time longer than any task may live, so that only a cancellation or the expiry ends it. */
    private static final Duration FOR_EVER = Duration.ofDays(7);

    /** How long the client is to keep a task of its own. */
    private static final Duration AT_CLIENT = Duration.ofMinutes(1);

    private static final String QUESTION = "What is your name?";
    private static final long MAX_TOKENS = 1_000;

    private TaskTools() {}

    record Echo(
            @Doc("What to give back") String text,
            @Doc("After how many milliseconds") @Range(min = 0, max = 3_600_000) @Default("0")
                    long delayMs) {}

    record Text(@Doc("What to give back") String text) {}

    record Steps(
            @Doc("How many steps") @Range(min = 1, max = 10_000) int steps,
            @Doc("How long to wait before each, in milliseconds")
                    @Range(min = 0, max = 3_600_000)
                    @Default("0")
                    long delayMs) {}

    record Failure(@Doc("The message of the failure") String message) {}

    record Prompt(@Doc("What the model is to answer") String prompt) {}

    /** The form that a person fills in. */
    record Person(@Doc("Your name") String name) {}

    static void declare(Features<?> features, Statistics statistics) {
        echoing(features);
        working(features, statistics);
        failing(features);
        asking(features);
        askingForTasks(features);
    }

    private static void echoing(Features<?> features) {
        features.tool("task_echo", "Gives back its text after a while", Echo.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .rerunAfterCrash()
                .immediateResponse("The text will come back soon.")
                .handle(
                        (echo, call) -> {
                            Thread.sleep(echo.delayMs());
                            return echo.text();
                        });
        features.tool(
                        "task_required",
                        "Gives back its text, only as a task",
                        Text.class,
                        String.class)
                .task(TaskSupport.REQUIRED)
                .handle((input, call) -> input.text());
        features.tool(
                        "task_forbidden",
                        "Gives back its text, never as a task",
                        Text.class,
                        String.class)
                .handle((input, call) -> input.text());
    }

    private static void working(Features<?> features, Statistics statistics) {
        features.tool("task_progress", "Reports progress", Steps.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .rerunAfterCrash()
                .handle(TaskTools::progress);
        features.tool("task_sleep_forever", "Runs until cancelled", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .rerunAfterCrash()
                .timeout(FOR_EVER)
                .handle((none, call) -> statistics.countForever(TaskTools::sleep));
    }

    private static String progress(Steps input, Call call) throws InterruptedException {
        for (int i = 1; i <= input.steps(); i++) {
            Thread.sleep(input.delayMs());
            call.progress(i, input.steps());
        }
        return "done " + input.steps();
    }

    private static String sleep() throws InterruptedException {
        Thread.sleep(FOR_EVER);
        return "woke up";
    }

    private static void failing(Features<?> features) {
        features.tool("task_fail", "Fails as tools do", Failure.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (input, call) -> {
                            throw new ToolFailedException(input.message());
                        });
        features.tool("task_throw", "Answers with an error", Failure.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (input, call) -> {
                            throw new JsonRpcException(ErrorCode.INTERNAL_ERROR, input.message());
                        });
    }

    private static void asking(Features<?> features) {
        features.tool("task_elicit", "Asks a person for the name", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .rerunAfterCrash()
                .handle(
                        (none, call) ->
                                "Hello "
                                        + call.elicit(QUESTION, Person.class).orElseThrow().name());
        features.tool("task_sample", "Asks the client's model", Prompt.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .rerunAfterCrash()
                .handle((input, call) -> call.sample(input.prompt(), MAX_TOKENS).text());
    }

    /** Declares tools that are not tasks themselves: their questions run as tasks of the client. */
    private static void askingForTasks(Features<?> features) {
        features.tool(
                        "interop_client_task_sample",
                        "Asks the client's model, as a task of the client",
                        Prompt.class,
                        String.class)
                .handle(
                        (input, call) ->
                                "completed: "
                                        + call.withTask(AT_CLIENT)
                                                .sample(input.prompt(), MAX_TOKENS)
                                                .text());
        features.tool(
                        "interop_client_task_elicit",
                        "Asks a person for the name, as a task of the client",
                        NoInput.class,
                        String.class)
                .handle(
                        (none, call) ->
                                "completed: "
                                        + call.withTask(AT_CLIENT)
                                                .elicit(QUESTION, Person.class)
                                                .orElseThrow()
                                                .name());
    }
}
