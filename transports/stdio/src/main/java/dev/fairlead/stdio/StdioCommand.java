package dev.fairlead.stdio;

import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Owner;
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
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A server that is started as a child process; made by {@link Stdio#command}. Immutable: every
 * setting gives a changed copy.
 *
 * <p>The end of a connection ends the process in the order of the specification: its standard input
 * is closed; if it still runs after a while, it is terminated with the processes that it started;
 * if that does not help, it is killed. The exit of this JVM does the same. When the process dies,
 * pending calls fail with a {@link dev.fairlead.jsonrpc.ConnectionException} that names its exit
 * status. Output on standard error is never taken for a failure.
 */
public final class StdioCommand implements Remote {
    private final CommandSettings settings;

    StdioCommand(List<String> command) {
        this(new CommandSettings(command));
        if (command.isEmpty()) {
            throw new IllegalArgumentException("a command must name a program");
        }
    }

    private StdioCommand(CommandSettings settings) {
        this.settings = settings;
    }

    private StdioCommand changed(Consumer<CommandSettings> change) {
        return new StdioCommand(settings.with(change));
    }

    /**
     * Sets a variable of the child's environment. Without it the child gets only these variables of
     * this process, as with the official SDKs, so that it does not see the secrets of this process:
     *
     * <ul>
     *   <li>{@code HOME}, {@code LANG}, {@code LC_ALL}, {@code LC_CTYPE}, {@code LOGNAME}, {@code
     *       PATH}, {@code SHELL}, {@code TERM}, {@code TMPDIR}, {@code TZ} and {@code USER};
     *   <li>on Windows {@code APPDATA}, {@code HOMEDRIVE}, {@code HOMEPATH}, {@code LOCALAPPDATA},
     *       {@code PATH}, {@code PATHEXT}, {@code PROCESSOR_ARCHITECTURE}, {@code PROGRAMFILES},
     *       {@code SYSTEMDRIVE}, {@code SYSTEMROOT}, {@code TEMP}, {@code TMP}, {@code USERNAME}
     *       and {@code USERPROFILE}.
     * </ul>
     *
     * @throws IllegalArgumentException if the name is empty or contains {@code =}, or one of both
     *     contains a NUL character
     */
    public StdioCommand environment(String name, String value) {
        if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "a variable must have a name without = and NUL but was " + JsonValue.of(name));
        }
        if (value.indexOf('\0') >= 0) { // which may be a secret
            throw new IllegalArgumentException(
                    "the value of the variable " + name + " must not contain a NUL character");
        }
        Map<String, String> variables = new LinkedHashMap<>(settings.environment);
        variables.put(name, value);
        return changed(copy -> copy.environment = Map.copyOf(variables));
    }

    /**
     * Passes all environment variables of this process to the child, secrets included. Only for
     * programs that you trust with them.
     */
    public StdioCommand inheritEnvironment() {
        return changed(copy -> copy.inheritEnvironment = true);
    }

    /** Changes the working directory of the child, by default that of this process. */
    public StdioCommand directory(Path directory) {
        Objects.requireNonNull(directory, "directory");
        return changed(copy -> copy.directory = directory);
    }

    /**
     * Appends the standard error of the child to a file. By default it goes to standard error of
     * this process.
     */
    public StdioCommand stderrTo(Path file) {
        return stderr(Objects.requireNonNull(file, "file"), null);
    }

    /**
     * Passes the standard error of the child to a listener, line by line, on a thread of its own;
     * lines over 16 KiB come in pieces. By default it goes to standard error of this process.
     */
    public StdioCommand onStderr(Consumer<String> listener) {
        return stderr(null, Objects.requireNonNull(listener, "listener"));
    }

    private StdioCommand stderr(@Nullable Path file, @Nullable Consumer<String> listener) {
        return changed(
                copy -> {
                    copy.stderrFile = file;
                    copy.stderrListener = listener;
                });
    }

    /**
     * Changes the longest message that is accepted, in bytes; by default see {@link
     * Stdio#DEFAULT_MAX_MESSAGE_SIZE}. A longer one is logged and skipped; the request that it
     * answers fails with a {@link dev.fairlead.jsonrpc.ConnectionException}.
     */
    public StdioCommand maxMessageSize(int bytes) {
        LineReader.checkMaxLength(bytes);
        return changed(copy -> copy.maxMessageSize = bytes);
    }

    /**
     * Changes how long the end of the process may take, by default 3 s and 3 s.
     *
     * @param afterEndOfInput how long it may run after its standard input was closed
     * @param afterTermination how long it may then run after it was terminated, before it is killed
     */
    public StdioCommand exitTimeout(Duration afterEndOfInput, Duration afterTermination) {
        Objects.requireNonNull(afterEndOfInput, "afterEndOfInput");
        Objects.requireNonNull(afterTermination, "afterTermination");
        return changed(
                copy -> {
                    copy.exitTimeout = afterEndOfInput;
                    copy.terminateTimeout = afterTermination;
                });
    }

    /** Sets the last waits; {@link LastWaits#DEFAULT} by default. */
    StdioCommand lastWaits(LastWaits waits) {
        return changed(copy -> copy.lastWaits = waits);
    }

    /**
     * Starts the child in a session of its own, away from the terminal of this process. The signals
     * of a key press on that terminal (Ctrl-C, Ctrl-Z) then reach this process only, which can
     * cancel running requests before it ends the child.
     *
     * <p>Where the system has the program {@code setsid} (Linux) or {@code perl} (macOS and most
     * others), the child starts through it and keeps its process id. Elsewhere, on Windows among
     * others, this option does nothing. The child ends with this process as without the option:
     * also where that is killed, since its standard input ends then.
     */
    public StdioCommand inOwnSession() {
        return changed(copy -> copy.ownSession = true);
    }

    /**
     * Names the server as the owner of the tasks that it creates at this client, {@code local} by
     * default. Clients of several servers that share a store of tasks give each server a name of
     * its own.
     */
    public StdioCommand owner(String name) {
        Owner named = new Owner.Local(name);
        return changed(copy -> copy.owner = named);
    }

    /** The settings that decide which server a process is. */
    private record Place(
            List<String> command,
            Map<String, String> environment,
            boolean inheritEnvironment,
            @Nullable Path directory) {}

    /** {@inheritDoc} Equal commands with equal environments and directories have equal places. */
    @Override
    public Optional<Object> place() {
        return Optional.of(
                new Place(
                        settings.command,
                        settings.environment,
                        settings.inheritEnvironment,
                        settings.directory));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException if the process cannot be started; the message names the program
     */
    @Override
    public Link connect(SessionHost host) throws IOException, InterruptedException {
        return new PipeRemote(
                        () -> ChildTransport.start(settings),
                        PipeSettings.named("stdio").withOwner(settings.owner))
                .connect(host);
    }
}
