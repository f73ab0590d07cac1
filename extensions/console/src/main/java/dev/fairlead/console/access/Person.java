package dev.fairlead.console.access;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A person who has logged in.
 *
 * @param name the name in the audit log
 * @param operates whether the person may end and cancel things
 * @param writeToken the secret that each write carries, which only the page that has logged in
 *     receives
 * @param accessToken the token of the endpoint's authorization that the person has; null for none
 * @param until the end of the login
 */
public record Person(
        String name,
        boolean operates,
        String writeToken,
        @Nullable String accessToken,
        Instant until) {
    /** Contains no secret. */
    @Override
    public String toString() {
        return name;
    }
}
