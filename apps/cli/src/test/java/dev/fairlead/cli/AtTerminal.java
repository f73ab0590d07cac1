package dev.fairlead.cli;

import com.pty4j.PtyProcess;
import com.pty4j.PtyProcessBuilder;

import dev.fairlead.test.support.ChildJvm;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command that runs at a real pseudo-terminal, and the person in front of it. */
final class AtTerminal implements AutoCloseable {
    static final String CTRL_C = "\u0003";
    static final String CTRL_D = "\u0004";
    static final String ENTER = "\r";
    static final String TAB = "\t";

    private final PtyProcess process;
    private final StringBuilder screen = new StringBuilder(); // guarded by itself
    private final Thread reader;
    private boolean ended; // guarded by screen
    private int seen; // guarded by screen

    private AtTerminal(PtyProcess process) {
        this.process = process;
        this.reader = Thread.ofPlatform().name("terminal").start(this::read);
    }

    static AtTerminal run(String... typed) throws IOException {
        return run(Map.of(), typed);
    }

    static AtTerminal run(Map<String, String> variables, String... typed) throws IOException {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("TERM", "xterm-256color");
        environment.put("LC_ALL", "C.UTF-8");
        environment.putAll(variables);
        List<String> command = ChildJvm.command(Main.class, typed);
        command.add(1, "--enable-native-access=ALL-UNNAMED");
        return new AtTerminal(
                new PtyProcessBuilder(command.toArray(String[]::new))
                        .setEnvironment(environment)
                        .setInitialColumns(160)
                        .setInitialRows(50)
                        .start());
    }

    /** A terminal that its program has not opened yet is at its end, as one that is closed is. */
    private void read() {
        try (Reader out = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
            readToEnd(out);
            while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
                readToEnd(out);
            }
            readToEnd(out);
        } catch (IOException | InterruptedException e) {
            // the terminal is gone with the program
        }
        synchronized (screen) {
            ended = true;
            screen.notifyAll();
        }
    }

    private void readToEnd(Reader out) throws IOException {
        char[] chunk = new char[4096];
        for (int count = out.read(chunk); count >= 0; count = out.read(chunk)) {
            synchronized (screen) {
                screen.append(chunk, 0, count);
                screen.notifyAll();
            }
        }
    }

    /** Waits until this text appears behind what was waited for before. */
    AtTerminal sees(String text) throws InterruptedException {
        if (!appears(text, 60)) {
            throw new AssertionError("\"" + text + "\" does not appear in:\n" + raw());
        }
        return this;
    }

    /** False if the text does not appear in this time, or any more. */
    private boolean appears(String text, long seconds) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        synchronized (screen) {
            while (screen.indexOf(text, seen) < 0) {
                long left = deadline - System.nanoTime();
                if (ended || left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(screen, left);
            }
            seen = screen.indexOf(text, seen) + text.length();
        }
        return true;
    }

    /**
     * Presses the tabulator until this text appears: what a server offers too late is not shown.
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

    /** Waits until these texts appear behind what was waited for before, in any order. */
    AtTerminal seesAll(String... texts) throws InterruptedException {
        int before;
        int last = 0;
        synchronized (screen) {
            before = seen;
        }
        for (String text : texts) {
            synchronized (screen) {
                seen = before;
            }
            sees(text);
            synchronized (screen) {
                last = Math.max(last, seen);
            }
        }
        synchronized (screen) {
            seen = last;
        }
        return this;
    }

    AtTerminal types(String keys) throws IOException {
        process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return this;
    }

    /** Waits for the end of the command. */
    int status() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the command goes on:\n" + text());
        }
        reader.join();
        return process.exitValue();
    }

    /** Everything that came, byte for byte. */
    String raw() {
        synchronized (screen) {
            return screen.toString();
        }
    }

    /** What a person reads of it: without styles and modes. */
    String text() {
        return raw().replaceAll("\u001b\\[[?0-9;]*[a-zA-Z]|\u001b[=>]", "").replace("\r", "");
    }

    ProcessHandle handle() {
        return ProcessHandle.of(process.pid()).orElseThrow();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
