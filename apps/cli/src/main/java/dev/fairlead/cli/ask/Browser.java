package dev.fairlead.cli.ask;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Opens pages in the browser of the person, which this program cannot look into. No shell is
 * involved.
 *
 * @param openers programs to try in this order, each with its first arguments
 */
public record Browser(List<List<String>> openers) {
    /** The openers that this system has. */
    public static Browser ofSystem() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (system.startsWith("mac")) {
            return new Browser(List.of(List.of("open")));
        }
        if (system.startsWith("windows")) {
            return new Browser(List.of(List.of("rundll32", "url.dll,FileProtocolHandler")));
        }
        return new Browser(
                List.of(List.of("xdg-open"), List.of("gio", "open"), List.of("wslview")));
    }

    /** Opens a page; false if there is nothing to open it with. */
    public boolean open(String url) {
        return openers.stream().anyMatch(opener -> start(opener, url));
    }

    private static boolean start(List<String> opener, String url) {
        List<String> command = new ArrayList<>(opener);
        command.add(url);
        try {
            new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .getOutputStream()
                    .close();
            return true;
        } catch (IOException e) { // it is not there: the next one may be
            return false;
        }
    }
}
