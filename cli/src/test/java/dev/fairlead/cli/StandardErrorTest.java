package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

/** What the libraries log, on the standard error of a process. */
@Timeout(120)
class StandardErrorTest {
    @Test
    void aLogEntryIsOneLineThatCannotSteerTheTerminal() throws Exception {
        Process command =
                new ProcessBuilder(Cli.java(Main.class, Cli.on("garbage", "ping"))).start();
        command.getOutputStream().close();

        List<String> lines = command.errorReader().lines().toList();

        assertThat(command.waitFor()).isZero();
        assertThat(lines)
                .anyMatch(line -> line.startsWith("fairlead: ") && line.contains("no message"))
                .noneMatch(line -> line.contains("\u001b") || line.contains("\tat "))
                .noneMatch(line -> line.startsWith("WARNING"));
    }
}
