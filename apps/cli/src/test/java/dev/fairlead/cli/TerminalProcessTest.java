package dev.fairlead.cli;

import static dev.fairlead.cli.AtTerminal.CTRL_C;
import static dev.fairlead.cli.AtTerminal.ENTER;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process at a real terminal: its signals, and its child processes. */
@Timeout(600)
class TerminalProcessTest {
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

    @Nested
    class Pages {
        private Path opened;
        private Map<String, String> variables;

        /** Puts a browser in front that records the page to open. */
        private void fakeBrowser() throws IOException {
            opened = folder.resolve("opened");
            String script =
                    "#!/bin/sh\nprintf '%%s' \"$1\" >\"%1$s.new\"\nmv \"%1$s.new\" \"%1$s\"\n";
            for (String name : List.of("xdg-open", "open")) { // of Linux and of macOS
                script(name, script.formatted(opened));
            }
            variables = Map.of("PATH", folder + File.pathSeparator + System.getenv("PATH"));
        }

        @Test
        @Requirement({"ELIC-022", "ELIC-047", "ELIC-048", "ELIC-049", "ELIC-050"})
        void areShownWholeAndOpenedWithConsent() throws Exception {
            fakeBrowser();
            try (AtTerminal terminal =
                    AtTerminal.process(
                            variables, "tools", "call", "interop_elicit_url", server.url())) {
                terminal.sees("\"Fairlead showcase\" asks you to visit a page:")
                        .sees("URL:  https://showcase.example/visit/")
                        .sees("Host: ")
                        .sees("showcase.example")
                        .sees("Open it in your browser?");
                assertThat(opened).doesNotExist();
                terminal.types("y" + ENTER).sees("action=accept");
                assertThat(terminal.status()).isZero();
                await(opened);
                assertThat(terminal.text()).contains("URL:  " + Files.readString(opened) + "\n");
            }
        }

        private static void await(Path file) throws Exception {
            try (WatchService changes = file.getFileSystem().newWatchService()) {
                file.getParent().register(changes, StandardWatchEventKinds.ENTRY_CREATE);
                while (!Files.exists(file)) {
                    WatchKey change = changes.poll(300, TimeUnit.SECONDS);
                    assertThat(change).as("the browser opens the page").isNotNull();
                    change.pollEvents();
                    change.reset();
                }
            }
        }

        @Test
        @Requirement({"ELIC-020", "ELIC-046"})
        void areNotOpenedWithoutConsent() throws Exception {
            fakeBrowser();
            try (AtTerminal terminal =
                    AtTerminal.process(
                            variables, "tools", "call", "interop_elicit_url", server.url())) {
                terminal.sees("Open it in your browser?").types("n" + ENTER).sees("action=decline");
                assertThat(terminal.status()).isZero();
                assertThat(opened).doesNotExist();
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aShellStartsAlsoWhereItsLinesCannotBeKept() throws Exception {
        try (AtTerminal terminal =
                AtTerminal.process(Map.of("XDG_STATE_HOME", "/proc"), "shell", server.url())) {
            terminal.sees("The command history cannot be saved: ")
                    .sees("type help for the commands")
                    .sees("> ")
                    .types("exit" + ENTER);
            assertThat(terminal.status()).isZero();
        }
    }

    @Nested
    class CtrlC {
        @Test
        void pressedAgainLeavesAtOnce() throws Exception {
            try (AtTerminal terminal =
                    AtTerminal.process(
                            Map.of(),
                            Cli.on(
                                    ChildJvm.command(ScriptedStdioServer.Stubborn.class),
                                    "tools",
                                    "call",
                                    "x"))) {
                terminal.sees("called")
                        .types(CTRL_C)
                        .sees("Cancelling…")
                        .sees("heard notifications/cancelled"); // now its end is waited for
                List<ProcessHandle> programs = terminal.handle().descendants().toList();
                try {
                    terminal.types(CTRL_C);
                    assertThat(terminal.status()).isEqualTo(130);
                    assertThat(terminal.text()).doesNotContain("Cancelled");
                    assertThat(programs).isNotEmpty();
                    for (ProcessHandle program : programs) {
                        program.onExit().get(300, TimeUnit.SECONDS);
                    }
                } finally {
                    programs.forEach(ProcessHandle::destroyForcibly);
                }
            }
        }

        @Test
        void atAQuestionAboutATaskPressedAgainLeavesAtOnce() throws Exception {
            try (AtTerminal terminal =
                    AtTerminal.process(
                            Map.of(), Cli.onTasks("tools", "call", "sleeps", "--task"))) {
                terminal.sees("asked tasks/get")
                        .types(CTRL_C)
                        .sees("Task t-sleeps is still running.")
                        .sees("(c = cancel, l = leave, w = wait)")
                        .types(CTRL_C);
                assertThat(terminal.status()).isEqualTo(130);
                assertThat(terminal.text()).doesNotContain("keeps running.", "asked tasks/cancel");
            }
        }

        @Test
        void leavesAtOnceWhileArgumentsAreRead() throws Exception {
            try (AtTerminal terminal =
                    AtTerminal.process(
                            Map.of(), "tools", "call", "x", "--args", "-", server.url())) {
                awaitReading(terminal.handle().pid());
                terminal.types(CTRL_C).sees("Cancelled");
                assertThat(terminal.status()).isEqualTo(130);
            }
        }

        /** Waits until the command reads, since the JVM handles the signal by then. */
        private void awaitReading(long process) throws Exception {
            String jcmd = ChildJvm.program("jcmd");
            Path file = folder.resolve("threads");
            String threads;
            do {
                Process dump =
                        new ProcessBuilder(
                                        jcmd,
                                        Long.toString(process),
                                        "Thread.dump_to_file",
                                        "-overwrite",
                                        file.toString())
                                .redirectErrorStream(true)
                                .start();
                dump.getInputStream().readAllBytes();
                threads = dump.waitFor() == 0 && Files.exists(file) ? Files.readString(file) : "";
            } while (!threads.contains("dev.fairlead.cli.Arguments.text"));
        }
    }
}
