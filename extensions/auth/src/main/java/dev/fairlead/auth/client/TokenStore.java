package dev.fairlead.auth.client;

import dev.fairlead.protocol.options.Checks;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Stores logins between runs: for each MCP server one text, which contains tokens and possibly
 * secrets and must stay confidential. Implementations are safe for use by several threads, and may
 * block; they throw {@link java.io.UncheckedIOException} on failure.
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

    /**
     * Waits until this thread alone may renew or end the login for a server, and reads it again
     * then: where an issuer accepts each refresh token once, two threads or processes that use the
     * same one lose the login.
     *
     * <p>Blocks, but not for ever. The default does not block, which is sufficient for a store that
     * a single {@link OAuth} uses.
     *
     * @return the lease, which the same thread closes
     * @throws IOException if another holder does not close its lease in time
     */
    default Lease lease(URI server) throws IOException, InterruptedException {
        return () -> {};
    }

    /** Exclusive permission for one thread of one process. */
    @FunctionalInterface
    interface Lease extends AutoCloseable {
        /** Releases the permission. */
        @Override
        void close();
    }

    /** Keeps logins as long as the process runs, and no longer. */
    static TokenStore memory() {
        return new MemoryTokenStore();
    }

    /**
     * Keeps logins in {@code fairlead/tokens.json} below {@code $XDG_CONFIG_HOME}, which is {@code
     * ~/.config} where it is not set; see {@link #file(Path)}.
     */
    static TokenStore file() {
        return file(FileTokenStore.ofUser("tokens.json"));
    }

    /**
     * Keeps logins in a file that only its owner can read; a file that others can read is refused.
     * It is written as a whole or not at all, also where several processes share it, of which one
     * at a time renews a login.
     */
    static TokenStore file(Path file) {
        return new FileTokenStore(file, Envelope.NONE);
    }

    /**
     * Keeps logins in {@code fairlead/tokens.jwe} in the folder of {@link #file()}; see {@link
     * #keyring(Path)}.
     */
    static TokenStore keyring() {
        return keyring(FileTokenStore.ofUser("tokens.jwe"));
    }

    /**
     * Keeps logins in a file as {@link #file(Path)} does, encrypted (a JWE with {@code A256GCM}) by
     * a key that the keyring of the platform keeps: the Keychain of macOS, the Credential Manager
     * of Windows, the Secret Service or KWallet of a desktop. The key is there under the service
     * {@code fairlead} and the path of the file, and is asked for when a login is first read or
     * written, which blocks while a person is asked to unlock the keyring, but no longer than 2
     * minutes; see {@link #keyring(Path, Duration)}.
     *
     * <p>The library that reaches keyrings, {@code com.github.javakeyring:java-keyring}, is an
     * optional dependency (on the module path also {@code --add-modules java.keyring}). Where it is
     * there but no keyring is, or its key is gone, reading and writing fail with an {@link
     * java.io.UncheckedIOException} that says so; a file whose key is gone can only be deleted.
     *
     * @throws IllegalStateException without that library
     */
    static TokenStore keyring(Path file) {
        return keyring(file, TimedKeyring.PATIENCE);
    }

    /**
     * Returns a store like {@link #keyring(Path)} with another limit for how long the keyring may
     * take, including the person who unlocks it; then reading and writing fail.
     *
     * @throws IllegalArgumentException if the limit is not positive
     * @throws IllegalStateException without the library
     */
    static TokenStore keyring(Path file, Duration limit) {
        Checks.positive(limit, "limit");
        Path place = file.toAbsolutePath().normalize();
        Keyring keyring = new TimedKeyring(Keyring.ofPlatform(place.toString()), limit);
        return new FileTokenStore(place, new SealedEnvelope(keyring));
    }
}
