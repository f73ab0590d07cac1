package dev.fairlead.auth.proxy;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Set;

/**
 * The result of a person's consent and login: first a code, then tokens in its place. Both are kept
 * as hashes only.
 *
 * @param grant that the person has agreed to
 * @param subject the user who has logged in
 * @param ends when no token of it is good any more
 * @param seal the secret that its codes and tokens are sealed by
 */
record ProxyLogin(Grant grant, String subject, Instant ends, String seal, Stage stage) {
    /**
     * The parts of the client's request that codes and tokens are checked against.
     *
     * @param client its id
     * @param redirect the URI that the code went to
     * @param challenge of the code verifier
     */
    record Grant(String client, String redirect, String challenge, Set<String> scopes) {
        Grant {
            scopes = Set.copyOf(scopes);
        }

        static Grant of(AuthorizationRequest request) {
            return new Grant(
                    request.client().id(),
                    request.redirect().uri(),
                    request.challenge(),
                    request.scopes());
        }
    }

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
        return new ProxyLogin(grant, subject, ends, seal, next);
    }
}
