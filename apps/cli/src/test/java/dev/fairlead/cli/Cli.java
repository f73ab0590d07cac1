package dev.fairlead.cli;

import dev.fairlead.cli.servers.Environment;
import dev.fairlead.test.support.ChildJvm;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The command line under test. */
final class Cli {
    private Cli() {}

    /** The output and status of a command. */
    record Ran(int status, String out, String err) {}

    /** Runs a command in this JVM: all but the JVM's own start, end and signals. */
    static Ran run(String... typed) {
        return runWithInput("", typed);
    }

    static Ran runWithInput(String input, String... typed) {
        return run(Map.of(), input, new ByteArrayOutputStream(), typed);
    }

    /** Runs a command that sees these variables, too; programs that it starts do not. */
    static Ran runWith(Map<String, String> variables, String... typed) {
        return run(variables, "", new ByteArrayOutputStream(), typed);
    }

    /**
     * Runs a command with ever longer timeouts, until one suffices for the steps before the wait
     * that is to end.
     *
     * @param suffices whether that wait was reached
     */
    static Ran runUntilReached(Predicate<Ran> suffices, IntFunction<String[]> typed) {
        Ran ran = run(typed.apply(1_000));
        for (int timeout = 2_000; timeout < 40_000 && !suffices.test(ran); timeout *= 2) {
            ran = run(typed.apply(timeout));
        }
        return ran;
    }

    /** Runs a command and passes each line of its standard error to a consumer. */
    static Ran runObserved(Consumer<String> heard, String... typed) {
        return run(Map.of(), "", new LineOutputStream(heard), typed);
    }

    /** Passes each complete line to a consumer. */
    static final class LineOutputStream extends ByteArrayOutputStream {
        private final Consumer<String> heard;
        private int begun;

        LineOutputStream(Consumer<String> heard) {
            this.heard = heard;
        }

        /** Called under the lock of a print stream; a monitor would pin a virtual thread. */
        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, length);
            String said = toString(StandardCharsets.UTF_8).substring(begun);
            int end = said.lastIndexOf('\n');
            if (end >= 0) {
                begun += end + 1;
                said.substring(0, end).lines().forEach(heard);
            }
        }
    }

    private static Ran run(
            Map<String, String> more, String input, ByteArrayOutputStream err, String... typed) {
        Environment real = Environment.current();
        Map<String, String> variables = new HashMap<>(real.variables());
        variables.putAll(more);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Console console =
                new Console(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new Environment(variables, real.directory()));
        int status = Fairlead.run(console, new Interrupts(console), typed);
        return new Ran(
                status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /**
     * Runs a command in a process of its own and passes each line of its standard error to a
     * consumer. It must not say more than a pipe holds.
     */
    static Ran process(Map<String, String> environment, Consumer<String> heard, String... typed)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.command(Main.class, typed));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            String err =
                    process.errorReader()
                            .lines()
                            .peek(heard)
                            .map(line -> line + "\n")
                            .collect(Collectors.joining());
            String out = process.inputReader().lines().collect(Collectors.joining("\n"));
            return new Ran(process.waitFor(), out, err);
        } finally {
            process.destroyForcibly();
        }
    }

    /** A command with a scripted server as its target. */
    static String[] on(String script, String... typed) {
        return on(ScriptedStdioServer.command(script), typed);
    }

    /** A command with a {@link TaskServer} as its target. */
    static String[] onTasks(String... typed) {
        return on(TaskServer.command(), typed);
    }

    /** A command with a program as its target. */
    static String[] on(List<String> server, String... typed) {
        List<String> all = new ArrayList<>(List.of(typed));
        all.add("--");
        all.addAll(server);
        return all.toArray(String[]::new);
    }
}
