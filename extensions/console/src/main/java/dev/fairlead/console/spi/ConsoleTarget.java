package dev.fairlead.console.spi;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.Remote;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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
     * questions and the listeners. By default each request has 5 minutes, which progress extends up
     * to 4 hours.
     */
    default McpClient.Builder client() {
        String version =
                Objects.requireNonNullElse(
                        ConsoleTarget.class.getPackage().getImplementationVersion(), "0");
        return McpClient.named("fairlead-console", version)
                .title("Fairlead console")
                .requestTimeout(Duration.ofMinutes(5))
                .maxTotalTimeout(Duration.ofHours(4));
    }

    /**
     * Returns the way to the server, for one connection.
     *
     * @param stderr receives the lines that a program writes to standard error
     */
    Remote remote(Consumer<String> stderr);

    /**
     * Has a listener called whenever the server was started again, or could not be: pages show the
     * message, and connect to the new server. By default a server is never started again.
     *
     * @param listener must return at once
     * @return ends the calls of the listener
     */
    default Runnable onRestart(Consumer<Restart> listener) {
        return () -> {};
    }

    /**
     * A start of another server in the place of this one.
     *
     * @param message the reason in a sentence for people, or the failure
     * @param succeeded whether connections lead to another server from now on
     */
    record Restart(String message, boolean succeeded) {}
}
