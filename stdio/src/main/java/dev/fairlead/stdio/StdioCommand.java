package dev.fairlead.stdio;

import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.pipe.PipeRemote;
import dev.fairlead.protocol.pipe.PipeSettings;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A server that is started as a child process; made by {@link Stdio#command}. Immutable: every
 * setting gives a changed copy.
 *
 * <p>The end of a connection ends the process in the order of the specification: its standard input
 * is closed; if it still runs after a while, it is terminated with what it started; if that does
 * not help, it is killed (LIFE-024). The exit of this JVM does the same. A process that dies fails
 * what waits for it with a {@link dev.fairlead.jsonrpc.ConnectionException} that names its exit
 * status. What it writes to standard error is never taken for a failure (STDIO-008).
 */
public final class StdioCommand implements Remote {
    private final Settings settings;

    /**
     * What can be set.
     *
     * @param exitTimeout how long to wait after the end of its input
     * @param terminateTimeout how long to wait after termination
     */
    record Settings(
            List<String> command,
            Map<String, String> environment,
            @Nullable Path directory,
            @Nullable Path stderrFile,
            @Nullable Consumer<String> stderrListener,
            int maxMessageSize,
            Duration exitTimeout,
            Duration terminateTimeout) {}

    StdioCommand(List<String> command) {
        this(
                new Settings(
                        command,
                        Map.of(),
                        null,
                        null,
                        null,
                        Stdio.DEFAULT_MAX_MESSAGE_SIZE,
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(3)));
        if (command.isEmpty()) {
            throw new IllegalArgumentException("a command must name a program");
        }
    }

    private StdioCommand(Settings settings) {
        this.settings = settings;
    }

    /** Sets a variable of the child's environment, which is that of this process otherwise. */
    public StdioCommand environment(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(settings.environment);
        changed.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        return new StdioCommand(
                new Settings(
                        settings.command,
                        Map.copyOf(changed),
                        settings.directory,
                        settings.stderrFile,
                        settings.stderrListener,
                        settings.maxMessageSize,
                        settings.exitTimeout,
                        settings.terminateTimeout));
    }

    /** Changes the working directory of the child, by default that of this process. */
    public StdioCommand directory(Path directory) {
        return new StdioCommand(
                new Settings(
                        settings.command,
                        settings.environment,
                        Objects.requireNonNull(directory, "directory"),
                        settings.stderrFile,
                        settings.stderrListener,
                        settings.maxMessageSize,
                        settings.exitTimeout,
                        settings.terminateTimeout));
    }

    /**
     * Appends what the child writes to standard error to a file. By default it goes to standard
     * error of this process.
     */
    public StdioCommand stderrTo(Path file) {
        return stderr(Objects.requireNonNull(file, "file"), null);
    }

    /**
     * Gives what the child writes to standard error to a listener, line by line, on a thread of its
     * own; lines over 16 KiB come in pieces. By default it goes to standard error of this process.
     */
    public StdioCommand onStderr(Consumer<String> listener) {
        return stderr(null, Objects.requireNonNull(listener, "listener"));
    }

    private StdioCommand stderr(@Nullable Path file, @Nullable Consumer<String> listener) {
        return new StdioCommand(
                new Settings(
                        settings.command,
                        settings.environment,
                        settings.directory,
                        file,
                        listener,
                        settings.maxMessageSize,
                        settings.exitTimeout,
                        settings.terminateTimeout));
    }

    /**
     * Changes the longest message that is accepted, {@value Stdio#DEFAULT_MAX_MESSAGE_SIZE} bytes
     * by default. A longer one is logged and skipped.
     */
    public StdioCommand maxMessageSize(int bytes) {
        return new StdioCommand(
                new Settings(
                        settings.command,
                        settings.environment,
                        settings.directory,
                        settings.stderrFile,
                        settings.stderrListener,
                        LineReader.checkMaxLength(bytes),
                        settings.exitTimeout,
                        settings.terminateTimeout));
    }

    /**
     * Changes how long the end of the process may take, by default 3 s and 3 s.
     *
     * @param afterEndOfInput how long it may run after its standard input was closed
     * @param afterTermination how long it may then run after it was terminated, before it is killed
     */
    public StdioCommand exitTimeout(Duration afterEndOfInput, Duration afterTermination) {
        return new StdioCommand(
                new Settings(
                        settings.command,
                        settings.environment,
                        settings.directory,
                        settings.stderrFile,
                        settings.stderrListener,
                        settings.maxMessageSize,
                        Objects.requireNonNull(afterEndOfInput, "afterEndOfInput"),
                        Objects.requireNonNull(afterTermination, "afterTermination")));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException if the process cannot be started; the message names the program
     */
    @Override
    public Link connect(SessionHost host) throws IOException, InterruptedException {
        return new PipeRemote(() -> ChildTransport.start(settings), PipeSettings.named("stdio"))
                .connect(host);
    }
}
