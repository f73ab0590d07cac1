package dev.fairlead.server;

import dev.fairlead.protocol.StateKeySource;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.requeststate.StateKeys;
import dev.fairlead.server.requeststate.StateSettings;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * How a server seals the state of a request that asks its client, since revision 2026-07-28. The
 * client sends this state back in the next round. Servers behind one address need the same keys,
 * since the next round may reach any of them. Immutable.
 */
public final class RequestState {
    private static final int DEFAULT_MAX_BYTES = 32 << 10;

    private final StateKeys keys;
    private final @Nullable Duration ttl;
    private final int maxBytes;
    private final @Nullable String audience;

    private RequestState(
            StateKeys keys, @Nullable Duration ttl, int maxBytes, @Nullable String audience) {
        this.keys = keys;
        this.ttl = ttl;
        this.maxBytes = maxBytes;
        this.audience = audience;
    }

    private static RequestState of(StateKeys keys) {
        return new RequestState(keys, null, DEFAULT_MAX_BYTES, null);
    }

    /** A key of this process, which is the default: states end with it. */
    static RequestState standard() {
        return of(StateKeys.ofProcess());
    }

    /**
     * Keys in a file: one a line, at least 32 bytes in Base64. The first seals, all open. The file
     * is read now, and again within 10 seconds of a change. If it then cannot be read or is
     * invalid, the keys stay as they were and a warning is logged once.
     *
     * @throws UncheckedIOException if the file cannot be read
     * @throws IllegalArgumentException if it contains no keys, or a line that is none
     */
    public static RequestState keys(Path file) {
        return of(StateKeys.in(file));
    }

    /**
     * Keys of a source that several processes share, such as a {@code Database}. They are read when
     * a server is built, and then every 10 s; while they cannot be read, the keys stay as they were
     * and a warning is logged once.
     */
    public static RequestState keys(StateKeySource source) {
        return of(StateKeys.of(source));
    }

    /**
     * These keys; the first seals, all open.
     *
     * @throws IllegalArgumentException if there are none, or one has fewer than 32 bytes
     */
    public static RequestState keys(List<byte[]> keys) {
        return of(StateKeys.of(keys));
    }

    /**
     * Keys in a text with the format of a file of {@link #keys(Path)}, such as a secret from an
     * environment variable. It is read once.
     *
     * @throws IllegalArgumentException if it contains no keys, or a line that is none
     */
    public static RequestState parseKeys(String text) {
        return of(StateKeys.of(text));
    }

    /**
     * How long a client may take for its answers, counted from the start of each round: as long as
     * questions wait, {@link McpServer.Builder#questionTimeout}, unless set.
     *
     * @throws IllegalArgumentException if not positive
     */
    public RequestState ttl(Duration limit) {
        return new RequestState(keys, Checks.positive(limit, "ttl"), maxBytes, audience);
    }

    /**
     * The most bytes of a state as it is sent: 32 KiB unless set. A request whose answers and
     * recorded values need more fails with {@code -32603}.
     *
     * @throws IllegalArgumentException if not positive
     */
    public RequestState maxBytes(int bytes) {
        return new RequestState(keys, ttl, Checks.positive(bytes, "maxBytes"), audience);
    }

    /**
     * The server that states are for: its name unless set. Servers with the same keys that must not
     * accept each other's states need different audiences.
     */
    public RequestState audience(String name) {
        return new RequestState(keys, ttl, maxBytes, Objects.requireNonNull(name, "name"));
    }

    /** How a server seals states. */
    StateSettings settings(ServerSettings server) {
        return new StateSettings(
                keys,
                ttl == null ? server.questionTimeout : ttl,
                maxBytes,
                audience == null ? server.implementation.name() : audience);
    }
}
