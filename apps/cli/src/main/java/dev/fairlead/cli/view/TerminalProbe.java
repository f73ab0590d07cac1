package dev.fairlead.cli.view;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether standard streams are terminals and how wide. Done without a terminal library,
 * which would take a good part of the time that a command takes. For use by one thread.
 */
public final class TerminalProbe {
    /** Standard input. */
    public static final int IN = 0;

    /** Standard output. */
    public static final int OUT = 1;

    /** Standard error. */
    public static final int ERR = 2;

    private final Map<String, String> environment;
    private int width = -1; // until it is known

    /** A probe in this environment. */
    public TerminalProbe(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** Returns whether a standard stream is a terminal. */
    public static boolean isTerminal(int stream) {
        Path link = Path.of("/proc/self/fd/" + stream);
        if (!Files.isSymbolicLink(link)) { // not Linux
            return isTerminalToTest(stream);
        }
        try {
            String device = Files.readSymbolicLink(link).toString();
            return device.startsWith("/dev/pts/")
                    || device.startsWith("/dev/tty")
                    || device.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether input and output are terminals. */
    private static boolean isConsole() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try { // Java 22 and newer have a console also without a terminal, and report which
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** Asks the program {@code test}, which inherits the stream. */
    private static boolean isTerminalToTest(int stream) {
        ProcessBuilder test = new ProcessBuilder("test", "-t", Integer.toString(stream));
        try {
            return test.inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return isConsole(); // there is no such program
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Returns the screen of a standard stream. The width is that of {@code COLUMNS}, else of the
     * terminal.
     */
    public Screen screen(int stream) {
        return isTerminal(stream) ? Screen.terminal(width(), environment) : Screen.plain();
    }

    private int width() {
        if (width < 0) {
            String columns = environment.getOrDefault("COLUMNS", "");
            width =
                    columns.matches("[1-9][0-9]{0,3}")
                            ? Integer.parseInt(columns)
                            : widthOfTerminal();
        }
        return width;
    }

    /** Asks the program {@code stty}; 0 if it does not answer. */
    private static int widthOfTerminal() {
        try {
            Process stty =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(new File("/dev/tty"))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!stty.waitFor(1, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return 0;
            }
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return size.matches("\\d+ \\d{1,4}\\s*")
                    ? Integer.parseInt(size.strip().split(" ")[1])
                    : 0;
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
