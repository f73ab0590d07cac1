package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;

/** The log of the libraries, on the standard error of a process. */
@Timeout(600)
class StandardErrorTest {
    @Test
    void aLogEntryIsOneLineThatCannotSteerTheTerminal() throws Exception {
        Process command =
                new ProcessBuilder(ChildJvm.command(Main.class, Cli.on("garbage", "ping"))).start();
        command.getOutputStream().close();

        List<String> lines = command.errorReader().lines().toList();

        assertThat(command.waitFor()).isZero();
        assertThat(lines)
                .anyMatch(
                        line ->
                                line.startsWith("fairlead: ")
                                        && line.contains(
                                                "the server sent a line that cannot be read as a"
                                                        + " message: 'Welcome to \\u001b[31mthis"
                                                        + " server\\u001b[0m!'"))
                .noneMatch(line -> line.contains("\u001b") || line.contains("\tat "))
                .noneMatch(line -> line.startsWith("WARNING"));
    }

    @Test
    void aGivenAnswerThatDoesNotFitTheFormIsReported() throws Exception {
        Cli.Ran ran =
                Cli.process(
                        Map.of(),
                        line -> {},
                        Cli.on("asks", "tools", "call", "x", "--elicit", "{}"));

        assertThat(ran.status()).isZero();
        assertThat(ran.err().lines())
                .anyMatch(
                        line ->
                                line.startsWith("fairlead: The answer")
                                        && line.contains("does not fit the form")
                                        && line.contains("price"));
    }

    @Test
    void tracingPrintsEachFrameWithDirectionSessionAndTime() throws Exception {
        Cli.Ran ran =
                Cli.process(
                        Map.of(), line -> {}, Cli.onTasks("tools", "list", "--json", "--trace"));

        assertThat(ran.status()).isZero();
        assertThat(ran.out()).startsWith("{\"tools\":").hasLineCount(1);
        assertThat(ran.err().lines())
                .anyMatch(
                        line -> line.matches("fairlead: [0-9:.]{12} sent \\[stdio] .*tools/list.*"))
                .anyMatch(
                        line ->
                                line.matches(
                                        "fairlead: [0-9:.]{12} received \\[stdio] .*\"tools\".*"));
    }

    @Test
    void withoutTracingNoFrameIsPrinted() throws Exception {
        Cli.Ran ran = Cli.process(Map.of(), line -> {}, Cli.onTasks("ping", "--json"));

        assertThat(ran.err()).doesNotContain("jsonrpc");
    }
}
