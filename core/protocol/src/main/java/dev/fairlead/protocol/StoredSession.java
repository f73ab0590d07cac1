package dev.fairlead.protocol;

import dev.fairlead.json.JsonObject;

import java.util.Objects;

/**
 * The data that another process needs to continue a session.
 *
 * @param key a digest of its id; the id is a secret and cannot be derived from it
 * @param name the name under which its streams are stored; letters and digits
 * @param caller the caller that opened it
 * @param state the data of its {@link SessionHost}
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
