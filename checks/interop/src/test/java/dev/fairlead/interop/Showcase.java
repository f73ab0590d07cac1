package dev.fairlead.interop;

import dev.fairlead.showcase.Serve;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The showcase with its fixtures, in a process of its own. */
final class Showcase {
    private Showcase() {}

    /** Starts it over HTTP, on a free port. */
    static ChildProcess overHttp(String... options) throws IOException {
        return ChildProcess.start(command(options, "--http", "127.0.0.1:0"));
    }

    /** Returns its command line over standard input and output. */
    static List<String> onStdio(String... options) {
        return command(options, "--stdio");
    }

    private static List<String> command(String[] options, String... transport) {
        List<String> words = new ArrayList<>(List.of("--fixtures"));
        words.addAll(List.of(transport));
        words.addAll(Arrays.asList(options));
        return ChildJvm.command(Serve.class, words.toArray(String[]::new));
    }
}
