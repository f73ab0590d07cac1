package dev.fairlead.cli;

import static dev.fairlead.cli.AtTerminal.CTRL_C;
import static dev.fairlead.cli.AtTerminal.CTRL_D;
import static dev.fairlead.cli.AtTerminal.ENTER;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.Map;

/** Tasks in front of a person at a terminal. */
@Timeout(600)
class TaskTerminalTest {
    private static AtTerminal run(String... typed) throws IOException {
        return AtTerminal.run(Cli.onTasks(typed));
    }

    @Test
    void theyAreATable() throws Exception {
        try (AtTerminal terminal = run("tasks", "list")) {
            terminal.sees("TASK").sees("STATUS").sees("odd").sees("working").sees("completed");
            assertThat(terminal.status()).isZero();
            assertThat(terminal.text()).contains("Step \\u001b[31mone");
        }
    }

    @Test
    void theOneThatIsWaitedForIsShownAsItStands() throws Exception {
        try (AtTerminal terminal = run("tasks", "result", "t-sleeps")) {
            terminal.sees("Task t-sleeps is working: Step \\u001b[31mone")
                    .sees("working, ")
                    .sees(" left")
                    .sees("Step");
            assertThat(terminal.raw()).doesNotContain("\u001b[31mone");
        }
    }

    @Test
    void itsQuestionIsPutToThePerson() throws Exception {
        try (AtTerminal terminal = run("tools", "call", "asks", "--task")) {
            terminal.sees("Answer it?")
                    .types("y" + ENTER)
                    .sees("name:")
                    .types("Ada" + ENTER)
                    .seesAll("\"name\":\"Ada\"", "done");
            assertThat(terminal.status()).isZero();
        }
    }

    @Nested
    class CtrlC {
        private AtTerminal waiting() throws Exception {
            AtTerminal terminal = run("tools", "call", "sleeps", "--task");
            return terminal.sees("asked tasks/get")
                    .types(CTRL_C)
                    .sees("Task t-sleeps is still running.")
                    .sees("(c = cancel, l = leave, w = wait)");
        }

        @Test
        void cancelsTheTaskIfThatIsMeant() throws Exception {
            try (AtTerminal terminal = waiting()) {
                terminal.types("c" + ENTER).seesAll("asked tasks/cancel", "Cancelled");
                assertThat(terminal.status()).isEqualTo(130);
            }
        }

        @Test
        void leavesItRunningIfThatIsMeant() throws Exception {
            try (AtTerminal terminal = waiting()) {
                terminal.types("l" + ENTER)
                        .sees("Task t-sleeps keeps running.")
                        .sees("fairlead tasks result t-sleeps -- ");
                assertThat(terminal.status()).isEqualTo(130);
                assertThat(terminal.text()).doesNotContain("asked tasks/cancel");
            }
        }

        @Test
        void isTakenBack() throws Exception {
            try (AtTerminal terminal = waiting()) {
                terminal.types("w" + ENTER)
                        .sees("working, ")
                        .types(CTRL_C)
                        .sees("Task t-sleeps is still running.")
                        .sees("wait)")
                        .types(CTRL_D)
                        .sees("keeps running");
                assertThat(terminal.status()).isEqualTo(130);
            }
        }

        @Test
        void leavesAQuestionWithoutAnAnswerSoThatItIsAskedAgain() throws Exception {
            try (AtTerminal terminal = run("tools", "call", "asks", "--task")) {
                terminal.sees("Answer it?")
                        .types(CTRL_C)
                        .sees("Task t-asks is still running.")
                        .types("w" + ENTER)
                        .sees("Answer it?")
                        .types("n" + ENTER)
                        .seesAll("\"decline\"", "done");
                assertThat(terminal.status()).isZero();
                assertThat(terminal.text()).doesNotContain("\"action\":\"cancel\"");
            }
        }

        @Test
        void atAQuestionLeavesTheTaskWithItsQuestion() throws Exception {
            try (AtTerminal terminal = run("tools", "call", "asks", "--task")) {
                terminal.sees("Answer it?").types(CTRL_C).sees("wait)").types("l" + ENTER);
                terminal.sees("Task t-asks keeps running.");
                assertThat(terminal.status()).isEqualTo(130);
                assertThat(terminal.text()).doesNotContain("answered");
            }
        }
    }

    @Nested
    class Shell {
        private static AtTerminal shell() throws Exception {
            return AtTerminal.run(Map.of("NO_COLOR", "1"), Cli.onTasks("shell", "--no-history"))
                    .sees("type help for the commands")
                    .sees("> ");
        }

        @Test
        void tasksAreStartedShownAndAwaited() throws Exception {
            try (AtTerminal terminal = shell()) {
                terminal.types("task echo" + ENTER)
                        .sees("done")
                        .sees("> ")
                        .types("call required" + ENTER)
                        .sees("done")
                        .sees("> ")
                        .types("call passes" + ENTER)
                        .sees("Answer it?")
                        .types("n" + ENTER)
                        .sees("\"decline\"")
                        .sees("> ")
                        .types("start sleeps" + ENTER)
                        .sees("Task t-sleeps was started.")
                        .sees("> ")
                        .types("tasks get t-s\t")
                        .sees("leeps")
                        .types(ENTER)
                        .sees("t-sleeps working")
                        .sees("> ")
                        .types("tasks" + ENTER)
                        .sees("TTL LEFT")
                        .sees("> ")
                        .types("tasks result t-sleeps" + ENTER)
                        .sees("Task t-sleeps is working")
                        .types(CTRL_C)
                        .sees("wait)")
                        .types("l" + ENTER)
                        .sees("To get its result: tasks result t-sleeps")
                        .sees("> ")
                        .types("tasks cancel t-sleeps" + ENTER)
                        .sees("t-sleeps cancelled")
                        .sees("> ")
                        .types("exit" + ENTER);
                assertThat(terminal.status()).isZero();
            }
        }

        @Test
        void anUnansweredQuestionIsAskedAgainForTasksResult() throws Exception {
            try (AtTerminal terminal = shell()) {
                terminal.types("task asks" + ENTER)
                        .sees("Answer it?")
                        .types(CTRL_C)
                        .sees("wait)")
                        .types("l" + ENTER)
                        .sees("To get its result: tasks result t-asks")
                        .sees("> ")
                        .types("ping" + ENTER)
                        .sees("The server answered.")
                        .sees("> ")
                        .types("tasks result t-asks" + ENTER)
                        .sees("Answer it?")
                        .types("n" + ENTER)
                        .seesAll("\"decline\"", "done")
                        .sees("> ")
                        .types("exit" + ENTER);
                assertThat(terminal.status()).isZero();
                assertThat(terminal.text()).doesNotContain("\"action\":\"cancel\"");
            }
        }
    }
}
