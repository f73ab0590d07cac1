package dev.fairlead.console.spi;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.Remote;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;
import java.util.function.Consumer;

/** A server that people try on the page of a console. Thread-safe. */
public interface ConsoleTarget {
    /** Returns the name of the server for people, which contains no secrets. */
    String label();

    /**
     * Returns the words that name the server in a command of {@code fairlead}, without secrets; the
     * page copies them.
     */
    List<String> words();

    /** Returns the URL of the server without secrets; null for a program. */
    @Nullable URI url();

    /**
     * Returns the settings of a new client: limits and revisions. The console sets the handlers of
     * questions and the listeners.
     */
    McpClient.Builder client();

    /**
     * Returns the way to the server, for one connection.
     *
     * @param stderr receives the lines that a program writes to standard error
     */
    Remote remote(Consumer<String> stderr);
}
