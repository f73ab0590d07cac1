package dev.fairlead.examples;

import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import java.io.IOException;

/** {@code fairlead example} as a process of its own. */
final class ExampleProgram {
    private ExampleProgram() {}

    /** The command line that starts an example in a JVM like this one. */
    static String[] command(String... arguments) {
        return ChildJvm.command(Examples.class, arguments).toArray(String[]::new);
    }

    static ChildProcess start(String... arguments) throws IOException {
        return ChildProcess.start(new ProcessBuilder(command(arguments)));
    }
}
