package dev.fairlead.cli;

import dev.fairlead.cli.view.ShellWords;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * One command as it was typed: {@code ARGUMENTS} or {@code ARGUMENTS -- SERVER-COMMAND}.
 *
 * @param arguments the words before {@code --}
 * @param server the command that starts the server; null where there is no {@code --}
 */
record Invocation(List<String> arguments, @Nullable List<String> server) {
    static Invocation of(String... typed) {
        List<String> all = Arrays.asList(typed);
        int end = all.indexOf("--");
        return end < 0
                ? new Invocation(all, null)
                : new Invocation(all.subList(0, end), all.subList(end + 1, all.size()));
    }

    /** Returns whether the answer is for a program, known even where the rest makes no sense. */
    boolean isJson() {
        return arguments.contains("--json");
    }

    /**
     * Returns the words after a verb that run it on the same server, as they can be typed in a
     * shell.
     *
     * @param argument of the verb
     * @param options contain the TARGET, null if the server is behind {@code --}, and how it is
     *     reached
     */
    String sameServer(String argument, ServerOptions options) {
        return ShellWords.line(Stream.concat(Stream.of(argument), reaching(options).stream()));
    }

    /** Returns the words of a command that reach the same server, without secrets. */
    List<String> reaching(ServerOptions options) {
        return Stream.concat(
                        options.reaching().stream(),
                        server == null
                                ? Stream.of(String.valueOf(options.target))
                                : Stream.concat(Stream.of("--"), server.stream()))
                .toList();
    }

    String[] toArray() {
        return arguments.toArray(String[]::new);
    }
}
