package dev.fairlead.stdio;

import dev.fairlead.protocol.Owner;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The settings of a {@link StdioCommand}.
 *
 * @param environment variables that the user sets
 * @param inheritEnvironment whether the child gets all variables of this process
 * @param exitTimeout how long to wait after the end of its input
 * @param terminateTimeout how long to wait after termination
 * @param owner whose that is which the server makes at this client
 */
record CommandSettings(
        List<String> command,
        Map<String, String> environment,
        boolean inheritEnvironment,
        @Nullable Path directory,
        @Nullable Path stderrFile,
        @Nullable Consumer<String> stderrListener,
        int maxMessageSize,
        Duration exitTimeout,
        Duration terminateTimeout,
        boolean ownSession,
        Owner owner) {

    CommandSettings(List<String> command) {
        this(
                command,
                Map.of(),
                false,
                null,
                null,
                null,
                Stdio.DEFAULT_MAX_MESSAGE_SIZE,
                Duration.ofSeconds(3),
                Duration.ofSeconds(3),
                false,
                new Owner.Local());
    }

    /** What to start, in the end. */
    List<String> commandLine() {
        return ownSession ? OwnSession.ofProcess().around(command, directory) : command;
    }

    /** A copy that may be changed. */
    static final class Draft {
        private final List<String> command;
        Map<String, String> environment;
        boolean inheritEnvironment;
        @Nullable Path directory;
        @Nullable Path stderrFile;
        @Nullable Consumer<String> stderrListener;
        int maxMessageSize;
        Duration exitTimeout;
        Duration terminateTimeout;
        boolean ownSession;
        Owner owner;

        Draft(CommandSettings settings) {
            command = settings.command;
            environment = settings.environment;
            inheritEnvironment = settings.inheritEnvironment;
            directory = settings.directory;
            stderrFile = settings.stderrFile;
            stderrListener = settings.stderrListener;
            maxMessageSize = settings.maxMessageSize;
            exitTimeout = settings.exitTimeout;
            terminateTimeout = settings.terminateTimeout;
            ownSession = settings.ownSession;
            owner = settings.owner;
        }

        CommandSettings settings() {
            return new CommandSettings(
                    command,
                    environment,
                    inheritEnvironment,
                    directory,
                    stderrFile,
                    stderrListener,
                    maxMessageSize,
                    exitTimeout,
                    terminateTimeout,
                    ownSession,
                    owner);
        }
    }
}
