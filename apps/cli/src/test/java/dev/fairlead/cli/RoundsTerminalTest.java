package dev.fairlead.cli;

import static dev.fairlead.cli.AtTerminal.CTRL_C;
import static dev.fairlead.cli.AtTerminal.ENTER;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Ctrl-C in front of a server of revision 2026-07-28 that asks in rounds. */
@Timeout(180)
class RoundsTerminalTest {
    private static final String CANCELLATION = "\"method\":\"notifications/cancelled\"";

    private static AtTerminal book(List<String> server) throws Exception {
        return AtTerminal.run(
                Stream.concat(
                                Stream.of("tools", "call", "book", "--trace"),
                                server.size() == 1
                                        ? server.stream()
                                        : Stream.concat(Stream.of("--"), server.stream()))
                        .toArray(String[]::new));
    }

    private static void assertCancelledAtTheQuestion(AtTerminal terminal) throws Exception {
        terminal.sees("Answer it?").types(CTRL_C).sees("Cancelling…").sees("Cancelled");
        assertThat(terminal.status()).isEqualTo(130);
        assertThat(rounds(terminal)).as("%s", terminal.text()).isEqualTo(1);
        assertThat(terminal.text()) // nothing runs at the server
                .doesNotContain(CANCELLATION);
    }

    /** Answers the question, so that the handler runs once more. */
    private static void answer(AtTerminal terminal) throws Exception {
        terminal.sees("Answer it?")
                .types("y" + ENTER)
                .sees("name:")
                .types("Ada" + ENTER)
                .sees("Send it?")
                .types("y" + ENTER);
    }

    /** The rounds of the call that the command sent. */
    private static long rounds(AtTerminal terminal) {
        return Pattern.compile("sent \\[[^]]*][^{]*\\{[^{]*\"method\":\"tools/call\"")
                .matcher(terminal.text())
                .results()
                .count();
    }

    @Nested
    class OverStdio {
        private static AtTerminal book() throws Exception {
            return RoundsTerminalTest.book(ChildJvm.command(BookingServer.class));
        }

        @Test
        @Requirement("N26-CANC-001")
        void atAQuestionNothingIsSent() throws Exception {
            try (AtTerminal terminal = book()) {
                assertCancelledAtTheQuestion(terminal);
                assertThat(terminal.text()).contains("run 1 begins").doesNotContain("run 2");
            }
        }

        @Test
        @Requirement("N26-STDIO-005")
        void theRoundThatRunsIsCancelledByANotification() throws Exception {
            try (AtTerminal terminal = book()) {
                answer(terminal);
                terminal.sees("run 2 books for Ada")
                        .types(CTRL_C)
                        .sees("Cancelling…")
                        .seesAll("run 2 is cancelled", "Cancelled");
                assertThat(terminal.status()).isEqualTo(130);
                assertThat(rounds(terminal)).as("%s", terminal.text()).isEqualTo(2);
                assertThat(terminal.text()).contains(CANCELLATION).doesNotContain("run 3");
            }
        }
    }

    @Nested
    class OverHttp {
        private ChildProcess server;

        @BeforeEach
        void start() throws Exception {
            server = ChildProcess.start(ChildJvm.command(BookingServer.class, "http"));
        }

        @AfterEach
        void stop() throws Exception {
            server.close();
        }

        private AtTerminal book() throws Exception {
            return RoundsTerminalTest.book(List.of(server.url()));
        }

        private void assertRuns(int runs) {
            Cli.Ran ran = Cli.run("tools", "call", "runs", "--json", server.url());
            assertThat(ran.status()).isZero();
            assertThat(ran.out()).contains("\"text\":\"" + runs + "\"");
        }

        @Test
        @Requirement("N26-CANC-001")
        void atAQuestionNothingIsSent() throws Exception {
            try (AtTerminal terminal = book()) {
                assertCancelledAtTheQuestion(terminal);
            }
            assertRuns(1);
        }

        @Test
        @Requirement({"N26-HTTP-012", "N26-CANC-002"})
        void theRoundThatRunsIsCancelledByTheEndOfItsStream() throws Exception {
            try (AtTerminal terminal = book()) {
                answer(terminal);
                await("the second round").until(() -> server.errors().contains("run 2 books"));
                terminal.types(CTRL_C).sees("Cancelling…").sees("Cancelled");
                assertThat(terminal.status()).isEqualTo(130);
                assertThat(rounds(terminal)).as("%s", terminal.text()).isEqualTo(2);
                assertThat(terminal.text()) // the stream of the call is closed instead
                        .doesNotContainPattern("Mcp-Method:\\s+notifications/cancelled");
            }
            await("its end").until(() -> server.errors().contains("run 2 is cancelled"));
            assertRuns(2);
        }
    }
}
