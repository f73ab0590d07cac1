package dev.fairlead.auth.proxy;

import java.time.Duration;
import java.util.Set;

/** What a client gets at the token endpoint. */
record Tokens(String access, String refresh, Duration lifetime, Set<String> scopes) {
    /** Without the tokens. */
    @Override
    public String toString() {
        return "tokens";
    }
}
