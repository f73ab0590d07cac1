package dev.fairlead.auth.proxy;

import java.io.IOException;
import java.util.Optional;

/**
 * Identifies the user who has logged in at the upstream. Safe for use by several threads; may
 * block.
 */
@FunctionalInterface
public interface UpstreamUser {
    /**
     * The subject of the login, which callers are known by from now on.
     *
     * @param accessToken of the upstream; not to be stored, logged or passed on
     * @return a name that the upstream never gives to another user, not even later, such as a
     *     number; empty if this user is not admitted
     * @throws IOException if that cannot be found out; the login fails
     */
    Optional<String> subject(String accessToken) throws IOException, InterruptedException;
}
