package dev.fairlead.showcase;

import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** The output of the server on standard error: one line for each entry of the log. */
final class Logging {
    /** Set by the launcher if standard error is a terminal. */
    private static final boolean TERMINAL = Boolean.getBoolean("fairlead.terminal");

    private static final String FORMAT = "java.util.logging.SimpleFormatter.format";

    private static final String MANAGER = "java.util.logging.manager";

    static { // before the first logger
        if (System.getProperty(MANAGER) == null) {
            System.setProperty(MANAGER, LastingLogManager.class.getName());
        }
    }

    /** Held here, since loggers that nothing holds forget their level. */
    private static final List<Logger> LIBRARIES =
            Stream.of(
                            "org.eclipse.jetty",
                            "com.github.kagkarlsson",
                            "com.zaxxer.hikari",
                            "io.ebean")
                    .map(Logger::getLogger)
                    .toList();

    private static final Logger OWN = Logger.getLogger("dev.fairlead");
    private static final Logger WIRE = Logger.getLogger("dev.fairlead.wire");

    private Logging() {}

    /** Sets the format of lines; before anything is logged. */
    static void begin() {
        if (System.getProperty(FORMAT) == null) {
            System.setProperty(FORMAT, "%1$tT.%1$tL %4$s %5$s%6$s%n");
        }
        LIBRARIES.forEach(library -> library.setLevel(Level.WARNING));
    }

    /** Logs nothing but warnings, as it suits measuring. */
    static void quiet() {
        OWN.setLevel(Level.WARNING);
    }

    /** Logs each frame. */
    static void trace() {
        WIRE.setLevel(Level.FINER);
        print(Level.FINER);
    }

    /** Logs from a level on. */
    static void level(System.Logger.Level least) {
        Level level = Level.parse(Integer.toString(least.getSeverity()));
        OWN.setLevel(level);
        print(level);
    }

    /** The handler of the JVM drops all below INFO, whichever level a logger has. */
    private static void print(Level least) {
        Arrays.stream(Logger.getLogger("").getHandlers())
                .filter(handler -> handler.getLevel().intValue() > least.intValue())
                .forEach(handler -> handler.setLevel(least));
    }

    /** Prints lines for a person at a terminal; nothing elsewhere. */
    static void hint(List<String> lines) {
        if (TERMINAL) {
            lines.forEach(System.err::println);
        }
    }
}
