package dev.fairlead.stdio;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.options.CopyOnChange;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The options of a {@link StdioCommand}. */
final class CommandSettings extends CopyOnChange<CommandSettings> {
    final List<String> command;

    /** The variables that the user sets. */
    Map<String, String> environment = Map.of();

    /** Whether the child gets all variables of this process. */
    boolean inheritEnvironment;

    @Nullable Path directory;
    @Nullable Path stderrFile;
    @Nullable Consumer<String> stderrListener;
    int maxMessageSize = Stdio.DEFAULT_MAX_MESSAGE_SIZE;

    /** How long the child may take to exit after the end of its input. */
    Duration exitTimeout = Duration.ofSeconds(3);

    /** How long the child may take to exit after its termination. */
    Duration terminateTimeout = Duration.ofSeconds(3);

    LastWaits lastWaits = LastWaits.DEFAULT;

    boolean ownSession;

    /** The owner of what the server creates at this client. */
    Owner owner = new Owner.Local();

    CommandSettings(List<String> command) {
        this.command = command;
    }

    /** The command line that is started. */
    List<String> commandLine() {
        return ownSession ? OwnSession.ofProcess().around(command, directory) : command;
    }
}
