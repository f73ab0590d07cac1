package dev.fairlead.cli;

import com.pty4j.PtyProcess;
import com.pty4j.PtyProcessBuilder;

import dev.fairlead.cli.ask.Terminals;
import dev.fairlead.cli.servers.Environment;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.test.support.ChildJvm;

import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.LineDisciplineTerminal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A command that runs at a terminal, and the person in front of it. The terminal is one of this
 * JVM, or a real pseudo-terminal with a process.
 */
final class AtTerminal implements AutoCloseable {
    static final String CTRL_C = "\u0003";
    static final String CTRL_D = "\u0004";
    static final String ENTER = "\r";
    static final String TAB = "\t";

    private static final int COLUMNS = 160;
    private static final int ROWS = 50;
    private static final long TIMEOUT = 300; // seconds

    private final Output output = new Output();
    private final Command command;
    private int seen;

    private AtTerminal(Starting starting) throws IOException {
        command = starting.start(output);
    }

    @FunctionalInterface
    private interface Starting {
        Command start(Output output) throws IOException;
    }

    /** The program at the terminal. */
    private interface Command extends AutoCloseable {
        void type(byte[] keys) throws IOException;

        /** Waits for the end; false if that does not come. */
        boolean ends() throws InterruptedException;

        int status();

        @Override
        void close();
    }

    /** Runs a command in this JVM: all but the JVM's own terminal and signals. */
    static AtTerminal run(String... typed) throws IOException {
        return run(Map.of(), typed);
    }

    static AtTerminal run(Map<String, String> variables, String... typed) throws IOException {
        return new AtTerminal(output -> new LocalCommand(output, environment(variables), typed));
    }

    /** Runs a command in a process of its own. */
    static AtTerminal process(Map<String, String> variables, String... typed) throws IOException {
        return new AtTerminal(output -> new ProcessCommand(output, environment(variables), typed));
    }

    private static Map<String, String> environment(Map<String, String> variables) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("TERM", "xterm-256color");
        environment.put("LC_ALL", "C.UTF-8");
        environment.putAll(variables);
        return environment;
    }

    /** Everything that was shown. Thread-safe. */
    private static final class Output extends OutputStream {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(); // guarded by lock
        private boolean ended; // guarded by lock

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] more, int from, int length) {
            change(() -> bytes.write(more, from, length));
        }

        void end() {
            change(() -> ended = true);
        }

        private void change(Runnable change) {
            lock.lock();
            try {
                change.run();
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** Returns the end of the text; -1 if it does not appear in this time, or any more. */
        int await(String text, int from, long seconds) throws InterruptedException {
            long left = TimeUnit.SECONDS.toNanos(seconds);
            lock.lock();
            try {
                while (true) {
                    int at = toString().indexOf(text, from);
                    if (at >= 0) {
                        return at + text.length();
                    }
                    if (ended || left <= 0) {
                        return -1;
                    }
                    left = changed.awaitNanos(left);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public String toString() {
            lock.lock();
            try {
                return bytes.toString(StandardCharsets.UTF_8);
            } finally {
                lock.unlock();
            }
        }
    }

    /** A command on a thread of this JVM. */
    private static final class LocalCommand implements Command, Terminals {
        private final Interrupts interrupts;
        private final Keyboard terminal;
        private final Thread thread;
        private volatile boolean session;
        private volatile int status;

        LocalCommand(Output output, Map<String, String> environment, String... typed)
                throws IOException {
            PrintStream print = new PrintStream(output, true, StandardCharsets.UTF_8);
            Screen screen = Screen.terminal(COLUMNS, environment);
            Console console =
                    new Console(
                            InputStream.nullInputStream(),
                            print,
                            print,
                            screen,
                            screen,
                            true,
                            this,
                            new Environment(environment, Path.of("").toAbsolutePath()));
            interrupts = new Interrupts(console);
            terminal = new Keyboard(output);
            thread =
                    Thread.ofPlatform()
                            .name("test-command")
                            .start(
                                    () -> {
                                        status = Fairlead.run(console, interrupts, typed);
                                        output.end();
                                    });
        }

        @Override
        public Terminal forQuestions() {
            return terminal;
        }

        @Override
        public Terminal forSession() {
            session = true;
            return terminal;
        }

        /**
         * Passes the signal to the session, if there is one, or to the command, as the JVM does.
         */
        private final class Keyboard extends LineDisciplineTerminal {
            Keyboard(OutputStream screen) throws IOException {
                super("test", "xterm-256color", screen, StandardCharsets.UTF_8);
                setSize(Size.of(COLUMNS, ROWS));
            }

            @Override
            public void raise(Signal signal) {
                if (signal == Signal.INT && !session) {
                    interrupts.signal();
                } else {
                    super.raise(signal);
                }
            }
        }

        @Override
        public void type(byte[] keys) throws IOException {
            terminal.processInputBytes(keys);
        }

        @Override
        public boolean ends() throws InterruptedException {
            thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT));
            return !thread.isAlive();
        }

        @Override
        public int status() {
            return status;
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }

    private static final class ProcessCommand implements Command {
        private final PtyProcess process;
        private final Thread reader;

        ProcessCommand(Output output, Map<String, String> environment, String... typed)
                throws IOException {
            // what it leaves running lives on, as when a shell has started it
            List<String> command =
                    new ArrayList<>(List.of("sh", "-c", "trap '' HUP; exec \"$@\"", "sh"));
            command.addAll(ChildJvm.command(Main.class, typed));
            process =
                    new PtyProcessBuilder(command.toArray(String[]::new))
                            .setEnvironment(environment)
                            .setInitialColumns(COLUMNS)
                            .setInitialRows(ROWS)
                            .setUnixOpenTtyToPreserveOutputAfterTermination(true)
                            .start();
            reader = Thread.ofPlatform().name("test-terminal").start(() -> read(output));
        }

        private void read(Output output) {
            try (InputStream out = process.getInputStream()) {
                out.transferTo(output);
            } catch (IOException e) {
                // the terminal is gone with the program
            }
            output.end();
        }

        @Override
        public void type(byte[] keys) throws IOException {
            process.getOutputStream().write(keys);
            process.getOutputStream().flush();
        }

        @Override
        public boolean ends() throws InterruptedException {
            if (!process.waitFor(TIMEOUT, TimeUnit.SECONDS)) {
                return false;
            }
            reader.join();
            return true;
        }

        @Override
        public int status() {
            return process.exitValue();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** Waits until this text appears behind the text awaited before. */
    AtTerminal sees(String text) throws InterruptedException {
        if (!appears(text, TIMEOUT)) {
            throw new AssertionError("\"" + text + "\" does not appear in:\n" + raw());
        }
        return this;
    }

    private boolean appears(String text, long seconds) throws InterruptedException {
        int end = output.await(text, seen, seconds);
        if (end >= 0) {
            seen = end;
        }
        return end >= 0;
    }

    /**
     * Presses the tabulator until this text appears: lists that a server sends too late are not
     * shown.
     */
    AtTerminal completes(String text) throws IOException, InterruptedException {
        for (int i = 0; i < 10; i++) {
            types(TAB);
            if (appears(text, 10)) {
                return this;
            }
        }
        throw new AssertionError("\"" + text + "\" is not offered in:\n" + raw());
    }

    /** Waits until these texts appear behind the text awaited before, in any order. */
    AtTerminal seesAll(String... texts) throws InterruptedException {
        int before = seen;
        int last = before;
        for (String text : texts) {
            seen = before;
            sees(text);
            last = Math.max(last, seen);
        }
        seen = last;
        return this;
    }

    AtTerminal types(String keys) throws IOException {
        command.type(keys.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Waits for the end of the command. */
    int status() throws InterruptedException {
        if (!command.ends()) {
            throw new AssertionError("the command has not ended:\n" + text());
        }
        return command.status();
    }

    /** Everything that came, byte for byte. */
    String raw() {
        return output.toString();
    }

    /** The text that a person reads, without styles and modes. */
    String text() {
        return raw().replaceAll("\u001b\\[[?0-9;]*[a-zA-Z]|\u001b[=>]", "").replace("\r", "");
    }

    /** The process that runs the command. */
    ProcessHandle handle() {
        return ProcessHandle.of(((ProcessCommand) command).process.pid()).orElseThrow();
    }

    @Override
    public void close() {
        command.close();
    }
}
