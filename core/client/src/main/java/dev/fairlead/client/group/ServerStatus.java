package dev.fairlead.client.group;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * How a server of a group is.
 *
 * @param server its name in the group
 * @param state whether it can be used
 * @param reason why it failed, in words for people; null in any other state
 */
public record ServerStatus(String server, ServerState state, @Nullable String reason) {
    public ServerStatus {
        Objects.requireNonNull(server, "server");
        Objects.requireNonNull(state, "state");
    }
}
