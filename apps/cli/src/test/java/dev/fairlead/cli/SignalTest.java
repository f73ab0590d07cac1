package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** SIGINT that a program sends, to the command alone and without a terminal. */
@Timeout(600)
@EnabledOnOs(OS.LINUX)
class SignalTest {
    /** Returns whether SIGINT is ignored, as by commands that shells start in the background. */
    static boolean isIgnored() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(8).strip(), 16) & 2) != 0);
    }

    @Test
    void cancelsTheCallAndEndsWithStatus130() throws Exception {
        assumeFalse(isIgnored(), "SIGINT is ignored here");
        Process command =
                new ProcessBuilder(
                                ChildJvm.command(
                                        Main.class,
                                        Cli.on("silent", "tools", "call", "x", "--json")))
                        .start();
        BufferedReader err = command.errorReader();
        assertThat(err.readLine()).isEqualTo("server: heard notifications/initialized");
        assertThat(err.readLine()).isEqualTo("server: called");
        new ProcessBuilder("kill", "-INT", Long.toString(command.pid())).start().waitFor();
        assertThat(err.lines().filter(line -> !line.startsWith("fairlead: "))) // of a slow end
                .containsExactly(
                        "Cancelling…", "server: heard notifications/cancelled", "Cancelled");
        assertThat(command.waitFor()).isEqualTo(130);
        assertThat(command.inputReader().lines())
                .containsExactly("{\"error\":{\"message\":\"Cancelled\"}}");
    }

    @Test
    void leavesATaskRunningAndSaysHowToComeBack() throws Exception {
        leavesATaskRunning("t-sleeps -- ");
    }

    @Test
    void theWayBackHasTheOptionsByWhichTheServerIsReached() throws Exception {
        leavesATaskRunning(
                "t-sleeps --transport stdio --revision 2025-11-25 --inherit-env -- ",
                "--revision",
                "2025-11-25",
                "--inherit-env",
                "--transport",
                "stdio",
                "--timeout",
                "60000");
    }

    private static void leavesATaskRunning(String wayBack, String... options) throws Exception {
        assumeFalse(isIgnored(), "SIGINT is ignored here");
        List<String> server = TaskServer.command();
        List<String> call = new ArrayList<>(List.of("tools", "call", "sleeps", "--task", "--json"));
        call.addAll(List.of(options));
        Process command =
                new ProcessBuilder(
                                ChildJvm.command(
                                        Main.class, Cli.onTasks(call.toArray(String[]::new))))
                        .start();
        BufferedReader err = command.errorReader();
        String line = err.readLine();
        while (!line.startsWith(
                "server: asked tasks/get")) { // while it waits, and shows how it stands
            line = err.readLine();
        }
        new ProcessBuilder("kill", "-INT", Long.toString(command.pid())).start().waitFor();
        String left =
                "Task t-sleeps keeps running. To get its result: fairlead tasks result "
                        + wayBack
                        + server.getFirst();
        assertThat(err.lines().toList())
                .noneMatch(said -> said.startsWith("server: asked tasks/cancel"))
                .last()
                .asString()
                .startsWith(left);
        assertThat(command.waitFor()).isEqualTo(130);
        assertThat(command.inputReader().readLine())
                .startsWith("{\"error\":{\"message\":\"" + left);
    }
}
