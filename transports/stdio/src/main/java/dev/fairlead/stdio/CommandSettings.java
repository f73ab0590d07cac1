package dev.fairlead.stdio;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.limits.HeapPlan;
import dev.fairlead.protocol.options.CopyOnChange;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
    int maxMessageSize = HeapPlan.message();

    /** How long the child may take to exit after the end of its input. */
    Duration exitTimeout = Duration.ofSeconds(3);

    /** How long the child may take to exit after its termination. */
    Duration terminateTimeout = Duration.ofSeconds(3);

    LastWaits lastWaits = LastWaits.DEFAULT;

    boolean ownSession;

    /** The owner of the tasks that the server creates at this client. */
    Owner owner = new Owner.Local();

    CommandSettings(List<String> command) {
        this.command = command;
    }

    /**
     * The command line that is started, with the file of its program where it names that without a
     * folder. The file is looked up in the PATH that the child will have, then in that of this
     * process.
     */
    List<String> commandLine(Map<String, String> variables) {
        List<String> line = new ArrayList<>(command);
        if (!hasFolder()) {
            SearchPath.of(variables, directory, ChildEnvironment.isWindows())
                    .find(command.getFirst())
                    .or(() -> SearchPath.ofProcess().find(command.getFirst()))
                    .ifPresent(program -> line.set(0, program.toString()));
        }
        return ownSession ? OwnSession.ofProcess().around(line, directory) : line;
    }

    /**
     * Returns whether the program of a command line was not found. The JDK would look once more,
     * and also in the working directory where the PATH has an empty entry. Windows has places of
     * its own beside the PATH.
     */
    boolean isMissing(List<String> line) {
        return !ChildEnvironment.isWindows() && !hasFolder() && line.equals(command);
    }

    /** Describes the places where the program was not found. */
    String missing() {
        return environment.containsKey("PATH")
                ? "no such program on the PATH that is set for it, nor on that of this process"
                : "no such program on the PATH";
    }

    /** Returns whether the program is named with its folder, so that it is not looked up. */
    boolean hasFolder() {
        String program = command.getFirst();
        boolean isOfWindows = program.indexOf('\\') >= 0 || program.indexOf(':') >= 0;
        return program.indexOf('/') >= 0 || (isOfWindows && ChildEnvironment.isWindows());
    }
}
