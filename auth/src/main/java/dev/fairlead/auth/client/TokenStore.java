package dev.fairlead.auth.client;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where logins are kept between runs: for each MCP server one text, which holds tokens and perhaps
 * secrets, and must be kept from all others (AUTH-053). Implementations are safe for use by several
 * threads, and may block; what fails is an {@link java.io.UncheckedIOException}.
 */
public interface TokenStore {
    /** The login for a server, as it was last given to {@link #write}. */
    Optional<String> read(URI server);

    /** Keeps a login in the place of the one before. */
    void write(URI server, String login);

    /**
     * Forgets a login.
     *
     * @return whether there was one
     */
    boolean remove(URI server);

    /** The servers that there are logins for. */
    Set<URI> servers();

    /** Keeps logins as long as the process runs, and no longer. */
    static TokenStore memory() {
        return new MemoryTokenStore();
    }

    /**
     * Keeps logins in {@code fairlead/tokens.json} below {@code $XDG_CONFIG_HOME}, which is {@code
     * ~/.config} where it is not set; see {@link #file(Path)}.
     */
    static TokenStore file() {
        return new FileTokenStore(FileTokenStore.usualPlace());
    }

    /**
     * Keeps logins in a file that only its owner can read; a file that others can read is refused.
     * It is written as a whole or not at all, also where several processes share it.
     */
    static TokenStore file(Path file) {
        return new FileTokenStore(file);
    }
}
