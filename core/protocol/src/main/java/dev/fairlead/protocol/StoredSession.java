package dev.fairlead.protocol;

import dev.fairlead.json.JsonObject;

import java.util.Objects;

/**
 * What must be stored of a session to continue it in another process.
 *
 * @param key what it is found by: a digest of its id, from which the id, which is a secret, cannot
 *     be found out
 * @param name by which its streams belong to it; letters and digits
 * @param caller the caller that opened it
 * @param state what its {@link SessionHost} needs to continue it
 * @param restored how often it was restored
 */
public record StoredSession(
        String key, String name, Caller caller, JsonObject state, int restored) {
    public StoredSession {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(caller, "caller");
        Objects.requireNonNull(state, "state");
    }
}
