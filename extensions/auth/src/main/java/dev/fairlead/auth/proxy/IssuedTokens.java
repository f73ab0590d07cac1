package dev.fairlead.auth.proxy;

import java.time.Duration;
import java.util.Set;

/** The answer of the token endpoint. */
record IssuedTokens(String access, String refresh, Duration lifetime, Set<String> scopes) {
    /** Returns a text without the tokens. */
    @Override
    public String toString() {
        return "tokens";
    }
}
