package dev.fairlead.stdio;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.pipe.BufferedTransport;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The standard streams of a child process, which lives as long as this transport. */
final class ChildTransport implements BufferedTransport {
    private final Process process;
    private final Child child;
    private final LineTransport lines;
    private final ReentrantLock writing = new ReentrantLock();

    private ChildTransport(
            Process process, CommandSettings settings, @Nullable StderrDrain stderr) {
        this.process = process;
        this.child = new Child(process, settings, this::closeInput, stderr);
        this.lines =
                new LineTransport(
                        new LineReader(process.getInputStream(), settings.maxMessageSize),
                        process.getOutputStream(),
                        child::end);
    }

    static ChildTransport start(CommandSettings settings) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(settings.command);
        Map<String, String> variables = builder.environment();
        boolean windows = ChildEnvironment.isWindows();
        if (!settings.inheritEnvironment) {
            ChildEnvironment.restrict(variables);
        }
        settings.environment.forEach(
                (name, value) -> ChildEnvironment.set(variables, name, value, windows));
        builder.command(settings.commandLine(variables));
        if (settings.directory != null) {
            builder.directory(settings.directory.toFile());
        }
        if (settings.stderrFile != null) {
            builder.redirectError(Redirect.appendTo(settings.stderrFile.toFile()));
        } else if (settings.stderrListener == null) {
            builder.redirectError(Redirect.INHERIT);
        }
        Process process = start(builder, settings);
        try {
            return of(process, settings);
        } catch (RuntimeException | Error e) { // such as without a thread for standard error
            process.destroyForcibly();
            throw e;
        }
    }

    private static Process start(ProcessBuilder builder, CommandSettings settings)
            throws IOException {
        try {
            if (settings.isMissing(builder.command())) {
                throw new IOException("error=2, no such program"); // as the JDK says it
            }
            return builder.start();
        } catch (IOException e) {
            throw new IOException(
                    "cannot start the server process "
                            + settings.command.getFirst()
                            + ": "
                            + startFailure(settings, e),
                    e);
        }
    }

    private static ChildTransport of(Process process, CommandSettings settings) throws IOException {
        StderrDrain stderr =
                settings.stderrListener == null
                        ? null
                        : StderrDrain.start(process.getErrorStream(), settings.stderrListener);
        ChildTransport transport = new ChildTransport(process, settings, stderr);
        transport.child.endWithJvm();
        return transport;
    }

    /** The reason in words: the JDK gives the number of the system's error. */
    private static String startFailure(CommandSettings settings, IOException e) {
        Path directory = settings.directory;
        if (directory != null && !Files.isDirectory(directory)) {
            return "the working directory " + directory + " does not exist";
        }
        String message = String.valueOf(e.getMessage());
        if (message.matches("(?s).*error[:=] ?2\\b.*")) {
            return (settings.hasFolder() ? "no such file" : settings.missing())
                    + (settings.command.getFirst().contains(" ")
                            ? "; give the program and each of its arguments on its own"
                            : "");
        }
        return message.matches("(?s).*error[:=] ?13\\b.*") ? "the file is not executable" : message;
    }

    @Override
    public @Nullable JsonRpcMessage receive() throws IOException {
        JsonRpcMessage message;
        try {
            message = lines.receive();
        } catch (IOException e) {
            child.outputEnded();
            throw child.isEnding() ? e : new IOException(child.describeEnd(), e);
        }
        if (message == null) {
            child.outputEnded();
            if (!child.isEnding()) {
                throw new IOException(child.describeEnd());
            }
        }
        return message;
    }

    @Override
    public void send(JsonRpcMessage message) throws IOException {
        write(() -> lines.send(message));
    }

    @Override
    public void flush() throws IOException {
        write(lines::flush);
    }

    /** A step that writes. */
    @FunctionalInterface
    private interface Write {
        void run() throws IOException;
    }

    private void write(Write step) throws IOException {
        writing.lock();
        try {
            step.run();
        } catch (IOException e) {
            throw child.isEnding() ? e : new IOException(child.describeEnd(), e);
        } finally {
            writing.unlock();
        }
    }

    /**
     * Closes the child's standard input, unless a write is stuck there until the time is over:
     * closing would wait for it.
     */
    private void closeInput(Duration patience) throws InterruptedException {
        if (writing.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                // the child is gone already, with the other end of this pipe
            } finally {
                writing.unlock();
            }
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
