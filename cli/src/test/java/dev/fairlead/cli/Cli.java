package dev.fairlead.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line under test. */
final class Cli {
    private Cli() {}

    /** What a command left. */
    record Ran(int status, String out, String err) {}

    /** Runs a command in this JVM: all but the JVM's own start, end and signals. */
    static Ran run(String... typed) {
        return runWithInput("", typed);
    }

    static Ran runWithInput(String input, String... typed) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        int status = Fairlead.run(console, new Interrupts(console), typed);
        return new Ran(
                status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** The command that runs a main class of these tests, or of the program, in a JVM like this. */
    static List<String> java(Class<?> main, String... arguments) {
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xshare:auto",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                classPath,
                                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** A command with a scripted server as its target. */
    static String[] on(String script, String... typed) {
        return on(java(ScriptedServer.class, script), typed);
    }

    /** A command with a {@link TaskServer} as its target. */
    static String[] onTasks(String... typed) {
        return on(java(TaskServer.class), typed);
    }

    private static String[] on(List<String> server, String... typed) {
        List<String> all = new ArrayList<>(List.of(typed));
        all.add("--");
        all.addAll(server);
        return all.toArray(String[]::new);
    }
}
