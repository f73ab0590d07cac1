package dev.fairlead.cli;

import static dev.fairlead.cli.AtTerminal.CTRL_C;
import static dev.fairlead.cli.AtTerminal.ENTER;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.stream.Stream;

/** Ctrl-C in front of a server of revision 2026-07-28 that asks in rounds. */
@Timeout(600)
class RoundsTerminalTest {
    private static final String CANCELLATION = "\"method\":\"notifications/cancelled\"";

    /** The frames of both sides, which {@code --trace} has logged. */
    @AutoClose private final Logged frames = new Logged("dev.fairlead.wire", Level.FINER);

    private static AtTerminal book(List<String> server) throws Exception {
        return AtTerminal.run(
                Stream.concat(Stream.of("tools", "call", "book", "--trace"), server.stream())
                        .toArray(String[]::new));
    }

    private void assertCancelledAtTheQuestion(AtTerminal terminal) throws Exception {
        terminal.sees("Answer it?").types(CTRL_C).sees("Cancelling…").sees("Cancelled");
        assertThat(terminal.status()).isEqualTo(130);
        assertThat(rounds()).as("%s", frames.lines()).isEqualTo(1);
        assertThat(frames.lines()) // nothing runs at the server
                .noneMatch(frame -> frame.contains(CANCELLATION));
    }

    /** Answers the question, so that the handler runs once more. */
    private static void answer(AtTerminal terminal) throws Exception {
        terminal.sees("Answer it?").types("y" + ENTER).sees("name:").types("Ada" + ENTER);
    }

    /** The rounds of the call that the command sent. */
    private long rounds() {
        return frames.lines().stream()
                .filter(frame -> frame.contains(" sent ["))
                .filter(frame -> frame.contains("\"method\":\"tools/call\""))
                .count();
    }

    @Nested
    class OverStdio {
        private AtTerminal book() throws Exception {
            return RoundsTerminalTest.book(
                    Stream.concat(Stream.of("--"), BookingServer.command().stream()).toList());
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
                assertThat(rounds()).as("%s", frames.lines()).isEqualTo(2);
                assertThat(frames.lines()).anyMatch(frame -> frame.contains(CANCELLATION));
                assertThat(terminal.text()).doesNotContain("run 3");
            }
        }
    }

    @Nested
    class OverHttp {
        private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();
        private final BookingServer server = new BookingServer(reports::add);
        private HttpServing serving;

        @BeforeEach
        void start() throws Exception {
            serving = server.serve();
        }

        @AfterEach
        void stop() {
            serving.close();
            server.close();
        }

        private AtTerminal book() throws Exception {
            return RoundsTerminalTest.book(List.of(serving.uri().toString()));
        }

        private void awaitReport(String report) throws InterruptedException {
            for (String next = ""; !next.equals(report); ) {
                next = reports.poll(300, TimeUnit.SECONDS);
                assertThat(next).as("before: " + report).isNotNull();
            }
        }

        @Test
        @Requirement("N26-CANC-001")
        void atAQuestionNothingIsSent() throws Exception {
            try (AtTerminal terminal = book()) {
                assertCancelledAtTheQuestion(terminal);
            }
            assertThat(server.runs()).isEqualTo(1);
        }

        @Test
        @Requirement({"N26-HTTP-012", "N26-CANC-002"})
        void theRoundThatRunsIsCancelledByTheEndOfItsStream() throws Exception {
            try (AtTerminal terminal = book()) {
                answer(terminal);
                awaitReport("run 2 books for Ada");
                terminal.types(CTRL_C).sees("Cancelling…").sees("Cancelled");
                assertThat(terminal.status()).isEqualTo(130);
                assertThat(rounds()).as("%s", frames.lines()).isEqualTo(2);
                assertThat(frames.lines()) // the stream of the call is closed instead
                        .noneMatch(frame -> frame.matches("(?s).*Mcp-Method:\\s+notifications/.*"));
            }
            awaitReport("run 2 is cancelled");
            assertThat(server.runs()).isEqualTo(2);
        }
    }
}
