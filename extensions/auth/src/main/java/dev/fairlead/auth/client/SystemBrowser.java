package dev.fairlead.auth.client;

import dev.fairlead.http.client.AuthorizationException;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Opens a URL in the browser of the person, by the program that the system has for that. The URL is
 * one argument of it; no shell reads it.
 */
final class SystemBrowser implements Consumer<URI> {
    @Override
    public void accept(URI url) {
        List<String> command = command(System.getProperty("os.name"), url);
        try {
            new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .getOutputStream()
                    .close();
        } catch (IOException e) {
            throw new AuthorizationException(
                    "no browser can be opened: " + command.getFirst() + " cannot be started", e);
        }
    }

    static List<String> command(String system, URI url) {
        String name = system.toLowerCase(Locale.ROOT);
        String text = url.toASCIIString();
        if (name.startsWith("windows")) {
            return List.of("rundll32", "url.dll,FileProtocolHandler", text);
        }
        return List.of(name.startsWith("mac") ? "open" : "xdg-open", text);
    }
}
