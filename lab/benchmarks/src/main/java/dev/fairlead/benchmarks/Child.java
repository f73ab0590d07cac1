package dev.fairlead.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM that runs a program of these benchmarks; both sides send lines. */
public final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final PrintStream input;

    private Child(Process process) {
        this.process = process;
        this.output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    public static Child start(Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(program.getName());
        command.addAll(List.of(arguments));
        return start(command);
    }

    /** Starts any other program. */
    public static Child start(List<String> command) throws IOException {
        return new Child(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** Reads its next line, which must begin with this word, and returns the rest. */
    public String expect(String word) throws IOException {
        String line = output.readLine();
        if (line == null || !line.startsWith(word)) {
            throw new IOException("a child was to say " + word + " but said " + line);
        }
        return line.substring(word.length()).strip();
    }

    public void send(String line) {
        input.println(line);
    }

    public Jvm jvm() {
        return new Jvm(process.pid());
    }

    /** Waits until the process has ended. */
    public void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** Kills the process as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
        process.waitFor();
    }
}
