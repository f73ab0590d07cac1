package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/** Tasks for scripts, against a server that prints its requests. */
@Timeout(600)
class TasksTest {
    private static final String RESULT =
            "{\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"%s\"}},"
                    + "\"content\":[{\"type\":\"text\",\"text\":\"done\"}]%s}\n";

    private static final String ASKED = "server: asked ";

    private static Ran run(String... typed) {
        List<String> all = new ArrayList<>(List.of(typed));
        all.add("--json");
        return Cli.run(Cli.onTasks(all.toArray(String[]::new)));
    }

    /** The requests to the server, in this order. */
    private static List<String> asked(Ran ran) {
        return ran.err()
                .lines()
                .filter(line -> line.startsWith(ASKED))
                .map(line -> line.substring(ASKED.length()))
                .toList();
    }

    /** The same, but a look at a task that is followed by another one, being late, is none. */
    private static List<String> askedInTurn(Ran ran) {
        List<String> asked = new ArrayList<>();
        for (String request : asked(ran)) {
            if (asked.isEmpty()
                    || !request.startsWith("tasks/get ")
                    || !request.equals(asked.getLast())) {
                asked.add(request);
            }
        }
        return asked;
    }

    @Test
    @Requirement({"TASK-075", "TASK-077"})
    void theListHasTheTasksOfAllPagesAsTheyCame() {
        Ran ran = run("tasks", "list");
        assertThat(ran.status()).isZero();
        assertThat(ran.out())
                .startsWith("{\"tasks\":[" + TaskServer.ODD_TASK + ",{\"taskId\":\"t-echo\",")
                .endsWith(",\"x-known\":false}]}\n");
        assertThat(asked(ran)).containsExactly("tasks/list {}", "tasks/list {\"cursor\":\"2\"}");
    }

    @Test
    void oneTaskIsShownAsItCame() {
        Ran ran = run("tasks", "get", "odd");
        assertThat(ran.out()).isEqualTo(TaskServer.ODD_TASK + "\n");
        assertThat(asked(ran)).containsExactly("tasks/get {\"taskId\":\"odd\"}");
    }

    @Test
    void anUnknownTaskIsAnError() {
        String error = "{\"error\":{\"code\":-32602,\"message\":\"Unknown task: nope\"}}\n";
        for (String verb : List.of("get", "result")) {
            Ran ran = run("tasks", verb, "nope");
            assertThat(ran.out()).isEqualTo(error);
            assertThat(ran.status()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-kZ3", "--_x", "-", "-a=b"})
    void anIdMayBeginWithADash(String id) {
        for (String verb : List.of("get", "result", "cancel")) {
            assertThat(asked(run("tasks", verb, id)).getFirst())
                    .startsWith("tasks/")
                    .endsWith(" {\"taskId\":\"" + id + "\"}");
        }
    }

    @Test
    void aMistypedOptionIsNoId() {
        Ran ran = run("tasks", "get", "--tmeout", "5000", "odd");
        assertThat(ran.status()).isEqualTo(64);
        assertThat(ran.out()).contains("unknown option '--tmeout'; did you mean");
    }

    @Test
    void aCancelledTaskIsShown() {
        Ran ran = run("tasks", "cancel", "t-sleeps");
        assertThat(ran.status()).isZero();
        assertThat(ran.out()).contains("\"taskId\":\"t-sleeps\",\"status\":\"cancelled\"");
        assertThat(asked(ran)).containsExactly("tasks/cancel {\"taskId\":\"t-sleeps\"}");
    }

    @Test
    @Requirement("TASK-066")
    void aToolIsCalledAsATaskAndItsResultPrintedWithItsMeta() {
        Ran ran = run("tools", "call", "echo", "--args", "{\"a\":1.50}", "--task", "--ttl", "5000");
        assertThat(ran.status()).isZero();
        assertThat(ran.out())
                .isEqualTo(RESULT.formatted("t-echo", ",\"x-big\":12345678901234567890123"));
        assertThat(askedInTurn(ran))
                .containsExactly(
                        "tools/call {\"name\":\"echo\",\"arguments\":{\"a\":1.50},"
                                + "\"task\":{\"ttl\":5000}}",
                        "tasks/get {\"taskId\":\"t-echo\"}",
                        "tasks/result {\"taskId\":\"t-echo\"}");
    }

    @Test
    void withNoWaitTheTaskIsPrinted() {
        Ran ran = run("tools", "call", "sleeps", "--task", "--no-wait");
        assertThat(ran.status()).isZero();
        assertThat(ran.out())
                .isEqualTo(
                        "{\"task\":{\"taskId\":\"t-sleeps\",\"status\":\"working\",\"statusMessage\":\"Step"
                            + " \\u001B[31mone\",\"createdAt\":\"2025-11-25T10:30:00.120Z\",\"lastUpdatedAt\":\"2025-11-25T10:30:00.120Z\",\"ttl\":60000,\"pollInterval\":50,\"x-known\":false},\"_meta\":{\"io.modelcontextprotocol/model-immediate-response\":\"soon\"}}\n");
        assertThat(askedInTurn(ran)) // it may be looked at before the command ends
                .startsWith("tools/call {\"name\":\"sleeps\",\"arguments\":{},\"task\":{}}")
                .noneMatch(line -> line.startsWith("tasks/result"));
    }

    @Test
    void aServerThatMakesNoTaskAnswersAtOnce() {
        for (Ran ran :
                List.of(
                        run("tools", "call", "hasty", "--task"),
                        run("tools", "call", "hasty", "--task", "--no-wait"))) {
            assertThat(ran.out()).isEqualTo("{\"content\":[],\"x-plain\":1}\n");
            assertThat(ran.status()).isZero();
        }
    }

    @Test
    @Requirement("TASK-015")
    void aToolThatRequiresATaskIsCalledAsOne() {
        Ran ran = run("tools", "call", "required");
        assertThat(ran.status()).isZero();
        assertThat(ran.out())
                .isEqualTo(RESULT.formatted("t-required", ",\"x-big\":12345678901234567890123"));
    }

    @Test
    void anUnknownToolIsNotCalledTwice() {
        Ran ran = run("tools", "call", "gone");
        assertThat(ran.out())
                .isEqualTo("{\"error\":{\"code\":-32601,\"message\":\"Unknown tool\"}}\n");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(asked(ran)) // one list, for a required task and for the names of tools
                .containsExactly(
                        "tools/call {\"name\":\"gone\",\"arguments\":{}}", "tools/list {}");
    }

    @Test
    void aTaskWhoseToolFailedIsPrintedAndEndsWithStatus1() {
        for (Ran ran :
                List.of(
                        run("tools", "call", "fails", "--task"),
                        run("tasks", "result", "t-fails"))) {
            assertThat(ran.out()).isEqualTo(RESULT.formatted("t-fails", ",\"isError\":true"));
            assertThat(ran.status()).isEqualTo(1);
        }
    }

    @Test
    void aTaskThatEndedWithAnErrorEndsWithStatus2() {
        for (Ran ran :
                List.of(
                        run("tools", "call", "throws", "--task"),
                        run("tasks", "result", "t-throws"))) {
            assertThat(ran.out())
                    .isEqualTo("{\"error\":{\"code\":-32603,\"message\":\"It broke\"}}\n");
            assertThat(ran.status()).isEqualTo(2);
        }
    }

    @Test
    void ofACancelledTaskTheServerSaysSo() {
        Ran ran = run("tasks", "result", "t-cancelled");
        assertThat(ran.out())
                .isEqualTo("{\"error\":{\"code\":-32603,\"message\":\"Task was cancelled\"}}\n");
        assertThat(ran.status()).isEqualTo(2);
    }

    @Test
    void itsQuestionsAreAnsweredAsForACall() {
        assertThat(run("tools", "call", "asks", "--task").err())
                .contains("answered {\"result\":{\"action\":\"decline\",\"_meta\":");
        assertThat(run("tools", "call", "asks", "--task", "--elicit", "{\"name\":\"Ada\"}").err())
                .contains("\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}");
    }

    @Test
    void theQuestionOfATaskElsewhereBelongsToTheCallThatBringsIt() {
        Ran ran = run("tools", "call", "passes", "--elicit", "{\"name\":\"Ada\"}");
        assertThat(ran.status()).isZero();
        assertThat(ran.err()).contains("\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}");
    }

    @Test
    @Requirement("ROOM-011")
    void aTaskThatIsWaitedForIsNotPolledBesideItsResult() {
        Ran ran = run("tools", "call", "asks", "--task", "--elicit", "{\"name\":\"Ada\"}");
        assertThat(askedInTurn(ran))
                .containsExactly(
                        "tools/call {\"name\":\"asks\",\"arguments\":{},\"task\":{}}",
                        "tasks/get {\"taskId\":\"t-asks\"}",
                        "tasks/result {\"taskId\":\"t-asks\"}");
    }

    @Test
    void aTaskThatTimesOutExitsWithStatus3AndContinues() {
        Ran ran =
                Cli.runUntilReached(
                        reached -> reached.out().contains(" did not end"),
                        timeout ->
                                Cli.onTasks(
                                        "tools",
                                        "call",
                                        "sleeps",
                                        "--task",
                                        "--json",
                                        "--timeout",
                                        Integer.toString(timeout)));
        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.out()).contains("task t-sleeps did not end").contains("it continues");
        assertThat(asked(ran)).noneMatch(line -> line.startsWith("tasks/cancel"));
    }

    @Test
    void whatIsKnownOfATaskIsSaidInALine() {
        assertThat(run("tools", "call", "echo", "--task").err())
                .contains("Task t-echo is working: Step \\u001b[31mone\n");
    }

    @Test
    void theClientTakesTasksOnItself() {
        assertThat(run("ping", "--sample", "Hi.").err())
                .contains("\"requests\":{", "\"sampling\":{\"createMessage\":{}}")
                .contains("\"elicitation\":{\"create\":{}}");
    }
}
