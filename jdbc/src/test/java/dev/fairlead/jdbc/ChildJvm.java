package dev.fairlead.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process of this JVM, with the class path of the tests. */
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private ChildJvm(Process process) {
        this.process = process;
        this.output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseSerialGC");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return new ChildJvm(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
    }

    /** The next line that it prints. */
    public String line() throws IOException, InterruptedException {
        String line = output.readLine();
        if (line == null) {
            throw new AssertionError("the process ended with status " + process.waitFor());
        }
        return line;
    }

    public long pid() {
        return process.pid();
    }

    /** Sends a signal, such as {@code STOP}. */
    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    /** As {@code kill -9}: it gets no chance to tidy up. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
