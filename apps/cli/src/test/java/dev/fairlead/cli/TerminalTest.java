package dev.fairlead.cli;

import static dev.fairlead.cli.AtTerminal.CTRL_C;
import static dev.fairlead.cli.AtTerminal.CTRL_D;
import static dev.fairlead.cli.AtTerminal.ENTER;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.FutureTask;

/** The person at a terminal. */
@Timeout(600)
class TerminalTest {
    private static LocalShowcase server;

    @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = new LocalShowcase();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** An executable file of this name. */
    private Path script(String name, String text) throws IOException {
        Path script = Files.writeString(folder.resolve(name), text);
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private static AtTerminal call(String tool, String arguments) throws IOException {
        return AtTerminal.run("tools", "call", tool, "--args", arguments, server.url());
    }

    @Nested
    class Forms {
        private static final String WHO = "{\"message\": \"Who \\u001b[31mare\\u0007 you?\"}";

        @Test
        @Requirement({"ELIC-019", "ELIC-020", "ELIC-021"})
        void areFilledInFieldByFieldReviewedChangedAndSent() throws Exception {
            try (AtTerminal terminal = call("test_elicitation", WHO)) {
                terminal.sees("The server \"Fairlead showcase\" asks you to fill in a form:")
                        .sees("(y = yes, n = no, c = cancel)")
                        .types("y" + ENTER)
                        .sees("username:")
                        .types(ENTER) // nothing: asked again
                        .sees("An answer is needed here.")
                        .sees("username:")
                        .types("ada" + ENTER)
                        .sees("email:")
                        .types("ada@example.com" + ENTER)
                        .sees("Your answer:")
                        .sees("\"ada\"")
                        .sees("e = edit")
                        .types("e" + ENTER)
                        .sees("username: ada")
                        .types(" lovelace" + ENTER)
                        .sees("email: ada@example.com")
                        .types(ENTER)
                        .sees("\"ada lovelace\"")
                        .sees("Send it?")
                        .types("y" + ENTER)
                        .sees("\"username\":\"ada lovelace\"");
                assertThat(terminal.status()).isZero();
            }
        }

        @Test
        void cannotSteerTheTerminal() throws Exception {
            try (AtTerminal terminal = call("test_elicitation", WHO)) {
                terminal.sees("Who \\u001b[31mare\\u0007 you?").sees("Answer it?").types(CTRL_D);
                assertThat(terminal.status()).isZero();
                assertThat(terminal.raw()).doesNotContain("\u001b[31m", "\u0007");
            }
        }

        @Test
        void cannotSteerItByTheirLimitsAndTitlesEither() throws Exception {
            try (AtTerminal terminal = AtTerminal.run(Cli.on("asks", "tools", "call", "x"))) {
                terminal.sees("Answer it?")
                        .types("y" + ENTER)
                        .sees("50% off %M:")
                        .types("much" + ENTER)
                        .sees("This does not fit: ")
                        .sees("\\u001b")
                        .sees("50% off %M:")
                        .types("12" + ENTER) // sent at once: it is the only field
                        .sees("accept");
                assertThat(terminal.status()).isZero();
                assertThat(terminal.raw()).doesNotContain("\u001b[31m", "\u001b\\[", "Send it?");
            }
        }

        @Test
        @Requirement("ELIC-012")
        void proposeTheirDefaults() throws Exception {
            try (AtTerminal terminal = call("test_elicitation_sep1034_defaults", "{}")) {
                terminal.sees("Answer it?")
                        .types("y" + ENTER)
                        .sees("John Doe")
                        .types(ENTER)
                        .sees("age (optional): 30")
                        .types("x" + ENTER)
                        .sees("Please type a whole number.")
                        .sees("30")
                        .types(ENTER)
                        .sees("95.5")
                        .types(ENTER)
                        .sees("2) inactive")
                        .sees("active")
                        .types("\u0015" + "3" + ENTER) // Ctrl-U empties the line
                        .sees("verified (optional): yes")
                        .types("\u0015no" + ENTER)
                        .sees("Send it?")
                        .types("y" + ENTER)
                        .sees(
                                "\"age\":30,\"score\":95.5,\"status\":\"pending\",\"verified\":false");
                assertThat(terminal.status()).isZero();
            }
        }

        @Test
        void offerEachKindOfChoice() throws Exception {
            try (AtTerminal terminal = call("test_elicitation_sep1330_enums", "{}")) {
                terminal.sees("Answer it?")
                        .types("y" + ENTER)
                        .sees("untitledSingle (optional):")
                        .types("9" + ENTER)
                        .sees("Please choose from the list")
                        .sees("untitledSingle (optional):")
                        .types("option2" + ENTER)
                        .sees("2) Second Option (value2)")
                        .sees("titledSingle (optional):")
                        .types("third option" + ENTER)
                        .sees("2) Option Two (opt2)")
                        .sees("legacyEnum (optional):")
                        .types("1" + ENTER)
                        .sees("untitledMulti (optional):")
                        .types("1, option3" + ENTER)
                        .sees("titledMulti (optional):")
                        .types("2" + ENTER)
                        .sees("Send it?")
                        .types("y" + ENTER)
                        .sees("\"untitledSingle\":\"option2\"")
                        .sees("\"titledSingle\":\"value3\"")
                        .sees("\"legacyEnum\":\"opt1\"")
                        .sees("\"untitledMulti\":[\"option1\",\"option3\"]")
                        .sees("\"titledMulti\":[\"value2\"]");
                assertThat(terminal.status()).isZero();
            }
        }

        @Test
        @Requirement("ELIC-020")
        void areDeclinedOrLeft() throws Exception {
            try (AtTerminal terminal = call("test_elicitation", WHO)) {
                terminal.sees("Answer it?").types("n" + ENTER).sees("\"action\":\"decline\"");
                assertThat(terminal.status()).isZero();
            }
            try (AtTerminal terminal = call("test_elicitation", WHO)) {
                terminal.sees("Answer it?").types(CTRL_D).sees("\"action\":\"cancel\"");
                assertThat(terminal.status()).isZero();
            }
        }

        @Test
        void areDeclinedUnseenWithJson() throws Exception {
            try (AtTerminal terminal =
                    AtTerminal.run(
                            "tools",
                            "call",
                            "test_elicitation",
                            "--args",
                            WHO,
                            "--json",
                            server.url())) {
                terminal.sees("decline");
                assertThat(terminal.status()).isZero();
                assertThat(terminal.raw()).doesNotContain("Answer it?");
            }
        }
    }

    @Nested
    class Sampling {
        private static final String HELLO = "{\"prompt\": \"Say \\u001b[2Jhello\"}";

        @Test
        @Requirement("SAMP-020")
        void isShownAndAnsweredByThePerson() throws Exception {
            try (AtTerminal terminal = call("test_sampling", HELLO)) {
                terminal.sees("asks a language model for an answer:")
                        .sees("Say \\u001b[2Jhello")
                        .sees("at most 100 tokens")
                        .sees("Answer for the model?")
                        .types("y" + ENTER)
                        .sees("assistant:")
                        .types(ENTER) // nothing: asked again
                        .sees("assistant:")
                        .types("Hello there" + ENTER)
                        .sees("LLM response: Hello there");
                assertThat(terminal.status()).isZero();
                assertThat(terminal.raw()).doesNotContain("\u001b[2J");
            }
        }

        @Test
        @Requirement({"SAMP-020", "SAMP-011"})
        void isDenied() throws Exception {
            try (AtTerminal terminal = call("test_sampling", HELLO)) {
                terminal.sees("Answer for the model?").types("n" + ENTER).sees("rejected");
                assertThat(terminal.status()).isEqualTo(2);
            }
        }

        @Test
        void isWrittenInAnEditor() throws Exception {
            Path editor = script("editor", "#!/bin/sh\necho \"from $1 editor\" >>\"$2\"\n");
            try (AtTerminal terminal =
                    AtTerminal.run(
                            Map.of("VISUAL", editor + " an"),
                            "tools",
                            "call",
                            "test_sampling",
                            "--args",
                            HELLO,
                            server.url())) {
                terminal.sees("Answer for the model?")
                        .types("e" + ENTER)
                        .sees("from an editor")
                        .sees("Send it?")
                        .types("y" + ENTER)
                        .sees("LLM response: from an editor");
                assertThat(terminal.status()).isZero();
            }
        }

        @Test
        void takesTheEditorWithItWhenItIsWithdrawn() throws Exception {
            Path pipe = folder.resolve("pipe");
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
            Path editor = script("editor", "#!/bin/sh\necho open >\"" + pipe + "\"\nsleep 600\n");
            try (AtTerminal terminal =
                    AtTerminal.run(
                            Map.of("VISUAL", editor.toString()),
                            Cli.on(ScriptedStdioServer.WITHDRAWS + pipe, "tools", "call", "x"))) {
                terminal.sees("Answer for the model?")
                        .types("e" + ENTER)
                        .sees("The server has withdrawn the question.");
                assertThat(terminal.status()).isZero();
            }
        }

        /** The result of the call is there while the editor is still being ended. */
        @Test
        void isReportedAsWithdrawnAlsoWhereTheEditorResists() throws Exception {
            Path pipe = folder.resolve("pipe");
            Path open = folder.resolve("open"); // as long as the editor or its program lives
            assertThat(new ProcessBuilder("mkfifo", "" + pipe, "" + open).start().waitFor())
                    .isZero();
            FutureTask<String> ended = new FutureTask<>(() -> Files.readString(open));
            Thread.ofPlatform().daemon().start(ended);
            Path editor =
                    script(
                            "editor",
                            ("#!/bin/sh\ntrap '' TERM\nexec 9>\"%s\"\necho open >\"%s\"\n"
                                            + "while :; do sleep 600; done\n")
                                    .formatted(open, pipe));
            try (AtTerminal terminal =
                    AtTerminal.run(
                            Map.of("VISUAL", editor.toString()),
                            Cli.on(ScriptedStdioServer.WITHDRAWS + pipe, "tools", "call", "x"))) {
                terminal.sees("Answer for the model?")
                        .types("e" + ENTER)
                        .sees("The server has withdrawn the question.");
                assertThat(terminal.status()).isZero();
            }
            assertThat(ended.get()).isEmpty();
        }

        @Test
        void isAnsweredByTheOptionAlsoAtATerminal() throws Exception {
            try (AtTerminal terminal =
                    AtTerminal.run(
                            "tools",
                            "call",
                            "test_sampling",
                            "--args",
                            HELLO,
                            "--sample",
                            "Hi.",
                            server.url())) {
                terminal.sees("LLM response: Hi.");
                assertThat(terminal.status()).isZero();
            }
        }
    }

    @Nested
    class CtrlC {
        @Test
        @Requirement({"CANC-012", "CANC-015"})
        void cancelsACallThatShowsItsProgress() throws Exception {
            Cli.Ran before = stats();
            try (AtTerminal terminal = call("interop_slow", "{\"ms\": 600000, \"steps\": 6000}")) {
                terminal.sees("[").sees("%").types(CTRL_C).sees("Cancelling…").sees("Cancelled");
                assertThat(terminal.status()).isEqualTo(130);
            }
            Ran after = stats();
            while (!after.out().contains("\"cancelled\":1")) { // once the handler has noticed
                after = stats();
            }
            assertThat(after.out()).isNotEqualTo(before.out());
        }

        private static Ran stats() {
            return Cli.run("tools", "call", "interop_stats", "--json", server.url());
        }

        @Test
        @Requirement("CANC-014")
        void atAQuestionLeavesItAndCancelsTheCall() throws Exception {
            try (AtTerminal terminal = call("test_elicitation", "{\"message\": \"Who?\"}")) {
                terminal.sees("Answer it?").types(CTRL_C).sees("Cancelling…").sees("Cancelled");
                assertThat(terminal.status()).isEqualTo(130);
            }
        }

        @Test
        void reachesAServerThatWasStartedOnlyAsACancellation() throws Exception {
            try (AtTerminal terminal = AtTerminal.run(Cli.on("silent", "tools", "call", "x"))) {
                terminal.sees("called")
                        .types(CTRL_C)
                        .sees("Cancelling…")
                        .seesAll("heard notifications/cancelled", "Cancelled");
                assertThat(terminal.status()).isEqualTo(130);
            }
        }
    }
}
