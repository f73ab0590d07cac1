package dev.fairlead.protocol;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Describes a session for interceptors.
 *
 * @param side this end of it: {@link Side#SERVER} or {@link Side#CLIENT}
 * @param transport the name of its transport: {@code stdio}, {@code http}, {@code sse}, {@code
 *     memory}
 * @param name its name in logs, which gives no access; null for none
 * @param revision the negotiated revision
 */
public record SessionInfo(Side side, String transport, @Nullable String name, Revision revision) {
    public SessionInfo {
        Objects.requireNonNull(side, "side");
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(revision, "revision");
    }
}
