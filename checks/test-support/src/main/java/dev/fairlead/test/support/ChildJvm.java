package dev.fairlead.test.support;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of JVMs that tests start: like the one that runs the test, with its class path. */
public final class ChildJvm {
    /**
     * The options with which small programs start soonest, and one of the launcher. Bytecode of the
     * compiler needs no verification, which takes a seventh of such a start.
     */
    private static final List<String> OPTIONS =
            List.of(
                    "-Xshare:auto",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:-BytecodeVerificationRemote",
                    "--enable-native-access=ALL-UNNAMED");

    private ChildJvm() {}

    /** Returns the command line that runs a main class of the class path. */
    public static List<String> command(Class<?> main, String... arguments) {
        return command(OPTIONS, main, arguments);
    }

    /**
     * Returns the command line that runs a main class of the class path in a JVM with other
     * options.
     *
     * @param options all options, in place of those for small programs
     */
    public static List<String> command(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(program("java"));
        command.addAll(options);
        command.add("-cp");
        command.add(classPath());
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Returns the path of a program of the JDK that runs the test, such as {@code java}. */
    public static String program(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /** Returns the class path of the test, its entries separated by {@link File#pathSeparator}. */
    public static String classPath() {
        return System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
