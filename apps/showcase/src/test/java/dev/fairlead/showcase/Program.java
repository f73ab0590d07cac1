package dev.fairlead.showcase;

import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import java.io.IOException;
import java.util.Map;

/** {@code fairlead serve} as a process of its own. */
final class Program {
    private Program() {}

    /** The command line that starts the program in a JVM like this one. */
    static String[] command(String... arguments) {
        return ChildJvm.command(Serve.class, arguments).toArray(String[]::new);
    }

    static ChildProcess start(String... arguments) throws IOException {
        return start(Map.of(), arguments);
    }

    static ChildProcess start(Map<String, String> environment, String... arguments)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(arguments));
        builder.environment().remove("PORT");
        builder.environment().putAll(environment);
        return ChildProcess.start(builder);
    }
}
