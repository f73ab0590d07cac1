package dev.fairlead.stdio;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Puts a program in front of a command that gives it a session of its own and then becomes it: the
 * JDK cannot say this to the system.
 *
 * @param programs where programs are looked for
 */
record OwnSession(SearchPath programs) {
    private static final String IN_PERL =
            "use POSIX (); POSIX::setsid(); exec {$ARGV[0]} @ARGV; die \"$ARGV[0]: $!\\n\"";

    /** Creates a starter that searches the PATH of this process. */
    static OwnSession ofProcess() {
        return new OwnSession(SearchPath.ofProcess());
    }

    /**
     * The command that starts the given one in a session of its own; the given one where that
     * cannot be done, or its program is not there, so that the failure to start it is the usual
     * one.
     *
     * @param directory in which the command starts; null for that of this process
     */
    List<String> around(List<String> command, @Nullable Path directory) {
        Optional<Path> program = program(command.getFirst(), directory);
        List<String> front = front();
        if (program.isEmpty() || front.isEmpty()) {
            return command;
        }
        List<String> whole = new ArrayList<>(front);
        whole.add(program.get().toString());
        whole.addAll(command.subList(1, command.size()));
        return whole;
    }

    private List<String> front() {
        return programs.find("setsid")
                .map(setsid -> List.of(setsid.toString()))
                .or(
                        () ->
                                programs.find("perl")
                                        .map(perl -> List.of(perl.toString(), "-e", IN_PERL, "--")))
                .orElse(List.of());
    }

    private Optional<Path> program(String name, @Nullable Path directory) {
        if (!name.contains("/")) {
            return programs.find(name);
        }
        Path program = directory == null ? Path.of(name) : directory.resolve(name);
        return Optional.of(program.toAbsolutePath()).filter(SearchPath::isProgram);
    }
}
