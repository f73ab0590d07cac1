package dev.fairlead.cli;

import static dev.fairlead.cli.AtTerminal.CTRL_C;
import static dev.fairlead.cli.AtTerminal.CTRL_D;
import static dev.fairlead.cli.AtTerminal.ENTER;
import static dev.fairlead.cli.AtTerminal.TAB;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An interactive session at a terminal. */
@Timeout(600)
class ShellTest {
    private static final String UP = "\u001bOA";
    private static final String LAST_OF_GREETING = "type help for the commands";

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

    private AtTerminal shell(String... options) throws Exception {
        return shellOf(server.url(), options);
    }

    private AtTerminal shellOf(String url, String... options) throws Exception {
        List<String> typed = new ArrayList<>(List.of("shell"));
        typed.addAll(List.of(options));
        typed.add(url);
        return AtTerminal.run(
                        Map.of("XDG_STATE_HOME", folder.toString(), "NO_COLOR", "1"),
                        typed.toArray(String[]::new))
                .sees(LAST_OF_GREETING)
                .sees("> ");
    }

    @Test
    void theSessionOfThePageIsPlayed() throws Exception {
        try (LocalShowcase tour = LocalShowcase.tourAlone();
                AtTerminal terminal = shellOf(tour.url())) {
            List<String> page = sessionOfThePage();
            boolean answered = false;
            for (String line : page.subList(page.indexOf(LAST_OF_GREETING) + 1, page.size())) {
                if (!isTyped(line)) {
                    terminal.sees(line);
                    answered = true;
                    continue;
                }
                if (answered) {
                    terminal.sees("> ");
                }
                terminal.types(line.substring(2) + ENTER);
            }
            assertThat(terminal.status()).isZero();
            assertThat(terminal.text().lines())
                    .filteredOn(line -> !line.isBlank() && !isEcho(line, page))
                    .containsExactlyElementsOf(
                            page.stream()
                                    .filter(line -> !line.isBlank() && !isTyped(line))
                                    .toList());
        }
    }

    /** Returns the lines of the page's session, after the command that opens it. */
    private static List<String> sessionOfThePage() throws IOException {
        List<String> page = Files.readAllLines(Path.of("..", "..", "docs", "shell.md"));
        int start = page.indexOf("```console") + 2;
        return page.subList(start, start + page.subList(start, page.size()).indexOf("```"));
    }

    private static boolean isTyped(String line) {
        return line.startsWith("> ");
    }

    /** A typed line appears a second time, behind the prompt, if the shell was not ready yet. */
    private static boolean isEcho(String line, List<String> page) {
        return page.stream()
                .filter(ShellTest::isTyped)
                .anyMatch(typed -> line.endsWith(typed.substring(2)));
    }

    @Test
    @Requirement("COMP-002")
    void theTabulatorCompletesCommandsNamesArgumentsAndValues() throws Exception {
        try (AtTerminal terminal = shell()) {
            terminal.types("cal" + TAB)
                    .sees("call ")
                    .types("interop_list_")
                    .completes("changed ")
                    .types("k" + TAB)
                    .sees("kind=")
                    .types("pro" + TAB)
                    .sees("mpts")
                    .types(ENTER)
                    .sees("sent")
                    .sees("> ")
                    .types("prompt interop_prompt la")
                    .completes("ng=")
                    .types("pyt")
                    .completes("hon")
                    .types(ENTER)
                    .sees("user:")
                    .sees("> ")
                    .types("read interop://items/item-00" + TAB)
                    .completes("9")
                    .types(CTRL_C)
                    .sees("> ")
                    .types("exit" + ENTER);
            assertThat(terminal.status()).isZero();
        }
    }

    @Test
    @Requirement("LOG-010")
    void whatTheServerSaysAppearsAboveTheLineThatIsBeingTyped() throws Exception {
        try (AtTerminal terminal = shell()) {
            terminal.types("watch test://watched-resource" + ENTER)
                    .sees("Watching test://watched-resource")
                    .sees("> ")
                    .types("pi")
                    .sees("pi");
            Ran touched =
                    Cli.run(
                            "tools",
                            "call",
                            "interop_touch_resource",
                            "--args",
                            "{\"uri\": \"test://watched-resource\"}",
                            server.url());
            assertThat(touched.status()).isZero();
            terminal.sees("test://watched-resource changed.")
                    .sees("> pi")
                    .types("ng" + ENTER)
                    .sees("The server answered.")
                    .types("call test_tool_with_logging" + ENTER)
                    .sees("info: Tool execution started")
                    .sees("Logged three messages.")
                    .sees("> ")
                    .types("unwatch " + TAB)
                    .sees("test://watched-resource")
                    .types(ENTER)
                    .sees("Stopped watching")
                    .sees("> ")
                    .types(CTRL_D);
            assertThat(terminal.status()).isZero();
        }
    }

    @Test
    @Requirement("CANC-001")
    void theKeyThatCancelsEndsACallOrDropsALine() throws Exception {
        try (AtTerminal terminal = shell()) {
            terminal.types("call interop_slow ms=60000 steps=600" + ENTER)
                    .sees("%")
                    .types(CTRL_C)
                    .sees("Cancelling…")
                    .sees("Cancelled")
                    .sees("> ")
                    .types("no such line" + CTRL_C)
                    .sees("> ");
            do { // the handler may notice a little later
                terminal.types("call interop_stats" + ENTER).sees("\"cancelled\": ").sees("> ");
            } while (!terminal.text().contains("\"cancelled\": 1"));
            terminal.types(CTRL_D);
            assertThat(terminal.status()).isZero();
            assertThat(terminal.text()).doesNotContain("unknown command");
        }
    }

    @Test
    @Requirement("ELIC-020")
    void aQuestionOfTheServerIsPutToThePerson() throws Exception {
        try (AtTerminal terminal = shell()) {
            terminal.types("call test_elicitation message=Who?" + ENTER)
                    .sees("Answer it?")
                    .types("y" + ENTER)
                    .sees("username:")
                    .types("ada" + ENTER)
                    .sees("email:")
                    .types("ada@example.com" + ENTER)
                    .sees("Send it?")
                    .types("y" + ENTER)
                    .sees("\"username\":\"ada\"")
                    .sees("> ")
                    .types("call test_elicitation message=Who?" + ENTER)
                    .sees("Answer it?")
                    .types(CTRL_C)
                    .sees("Cancelled")
                    .sees("> ")
                    .types("ping" + ENTER)
                    .sees("The server answered.")
                    .types("exit" + ENTER);
            assertThat(terminal.status()).isZero();
        }
    }

    @Test
    void historyIsKeptForItsOwnerUnlessTheUserDoesNotWantIt() throws Exception {
        Path history = folder.resolve("fairlead/history");
        try (AtTerminal terminal = shell("--no-history")) {
            terminal.types("ping" + ENTER).sees("The server answered.").sees("> ").types(CTRL_D);
            assertThat(terminal.status()).isZero();
        }
        assertThat(history).doesNotExist();
        try (AtTerminal terminal = shell()) {
            terminal.types("complete interop_prompt lang ph" + ENTER)
                    .sees("php")
                    .sees("> ")
                    .types(" complete interop_prompt lang perl" + ENTER)
                    .sees("perl")
                    .sees("perl")
                    .sees("> ")
                    .types(CTRL_D);
            assertThat(terminal.status()).isZero();
        }
        assertThat(history).content().contains("lang ph").doesNotContain("lang perl");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
                .isEqualTo("rw-------");
        try (AtTerminal terminal = shell()) {
            terminal.types(UP).sees("complete interop_prompt lang ph").types(ENTER).sees("php");
            terminal.sees("> ").types(CTRL_D);
            assertThat(terminal.status()).isZero();
        }
    }

    @Test
    void errorsAreReportedAndTheShellContinues() throws Exception {
        try (AtTerminal terminal = shell()) {
            terminal.types("nonsense" + ENTER)
                    .sees("unknown command \"nonsense\"; type help for the commands")
                    .types("call" + ENTER)
                    .sees("usage: call NAME")
                    .types("read nope://x" + ENTER)
                    .sees("Resource not found")
                    .types("log loud" + ENTER)
                    .sees("the level must be debug")
                    .types("ping" + ENTER)
                    .sees("The server answered.")
                    .sees("> ")
                    .types(CTRL_D);
            assertThat(terminal.status()).isZero();
        }
    }

    @Test
    void withoutATerminalItIsWrongUsage() {
        assertThat(Cli.run("shell", server.url()))
                .isEqualTo(
                        new Ran(
                                ExitStatus.USAGE,
                                "",
                                "fairlead: the shell needs a terminal; in scripts use"
                                        + " commands such as fairlead tools call\n"));
    }
}
