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
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Question;

/** The fixtures of the conformance suite for the tasks extension of revision 2026-07-28. */
final class ExtensionTasks {
    private static final long SECOND = 1_000;

    private ExtensionTasks() {}

    record Greeting(@Doc("Whom to greet") String name) {}

    record Slow(
            @Doc("How long, in seconds") @Range(min = 0, max = 3_600) @Default("1") double seconds,
            @Doc("What to give back") @Default("done") String label) {}

    record File(@Doc("What to delete") String filename) {}

    record Confirm(boolean confirm) {}

    record Name(String name) {}

    static void declare(Features<?> features) {
        features.tool("greet", "Greets at once", Greeting.class, String.class)
                .handle((greeting, call) -> "Hello, " + greeting.name() + "!");
        features.tool("slow_compute", "Takes its time", Slow.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .rerunAfterCrash()
                .handle(
                        (slow, call) -> {
                            Thread.sleep((long) (slow.seconds() * SECOND));
                            return slow.label();
                        });
        features.tool("failing_job", "Fails after a second", NoInput.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle(
                        (none, call) -> {
                            Thread.sleep(SECOND);
                            throw new ToolFailedException("The job failed");
                        });
        features.tool(
                        "protocol_error_job",
                        "Ends with an error of the protocol",
                        NoInput.class,
                        String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            throw new JsonRpcException(
                                    ErrorCode.INTERNAL_ERROR, "The job ended with an error");
                        });
        asking(features);
    }

    private static void asking(Features<?> features) {
        features.tool("confirm_delete", "Asks before it deletes", File.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (file, call) -> {
                            boolean confirmed =
                                    call.elicit("Delete " + file.filename() + "?", Confirm.class)
                                            .orElseThrow()
                                            .confirm();
                            return (confirmed ? "Deleted " : "Kept ") + file.filename();
                        });
        features.tool("multi_input", "Asks twice at once", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) -> {
                            var first = Question.elicit("Your first name?", Name.class).as("first");
                            var last = Question.elicit("Your last name?", Name.class).as("last");
                            Answers answers = call.ask(first, last);
                            return answers.to(first).orElseThrow().name()
                                    + " "
                                    + answers.to(last).orElseThrow().name();
                        });
        askingBefore(features);
    }

    private static void askingBefore(Features<?> features) {
        features.tool(
                        "test_tool_with_task",
                        "Asks for a name, then becomes a task",
                        NoInput.class,
                        String.class)
                .task(TaskSupport.REQUIRED)
                .taskLater()
                .handle(
                        (none, call) -> {
                            String name =
                                    call.ask(
                                                    Question.elicit(
                                                                    "What is your name?",
                                                                    Name.class)
                                                            .as("user_name"))
                                            .orElseThrow()
                                            .name();
                            call.startTask();
                            return "Hello, " + name + "!";
                        });
    }
}
