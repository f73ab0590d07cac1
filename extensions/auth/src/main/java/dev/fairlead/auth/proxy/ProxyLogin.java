package dev.fairlead.auth.proxy;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * The result of a person's consent and login: first a code, then tokens in its place. Both are kept
 * as hashes only.
 *
 * @param request that the person has agreed to
 * @param subject the user who has logged in
 * @param ends when no token of it is good any more
 */
record ProxyLogin(AuthorizationRequest request, String subject, Instant ends, Stage stage) {
    /** How far it is. */
    sealed interface Stage {
        /** The client has a code. */
        record Waiting(String code, Instant until) implements Stage {}

        /**
         * The client has tokens.
         *
         * @param refresh the one that is good; those before it are not
         * @param before the access token of the refresh before, which requests under way may have
         */
        record Open(String refresh, Access now, @Nullable Access before) implements Stage {}
    }

    /** An access token. */
    record Access(String token, Instant until) {}

    ProxyLogin with(Stage next) {
        return new ProxyLogin(request, subject, ends, next);
    }
}
