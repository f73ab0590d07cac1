package dev.fairlead.auth.client;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.function.Supplier;

/** The grants that need no person. */
final class MachineGrants {
    private static final String JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

    private static final String TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

    private MachineGrants() {}

    /** The client acts for itself. */
    record ClientCredentials(Client client) implements Grant {
        @Override
        public Login obtain(Terms terms, TokenEndpoint tokens, @Nullable Dpop dpop)
                throws IOException {
            Map<String, String> form = Grant.form("client_credentials", terms);
            return Grant.login(
                    terms, client, tokens.tokens(terms.server(), client, form, dpop), dpop);
        }
    }

    /**
     * A third party, such as the platform that runs the program, asserts its identity (RFC 7523).
     */
    record Assertion(Client client, Supplier<String> jwt) implements Grant {
        @Override
        public boolean sendsCredentials() {
            return true;
        }

        @Override
        public Login obtain(Terms terms, TokenEndpoint tokens, @Nullable Dpop dpop)
                throws IOException {
            Map<String, String> form = Grant.form(JWT_BEARER, terms);
            form.put("assertion", jwt.get());
            return Grant.login(
                    terms, client, tokens.tokens(terms.server(), client, form, dpop), dpop);
        }
    }

    /**
     * The identity provider of an enterprise, where the person has logged in already, issues an
     * assertion that the authorization server accepts.
     */
    record EnterpriseManaged(
            Client client, URI identityProvider, Client atProvider, Supplier<String> idToken)
            implements Grant {
        private static final String TYPES = "urn:ietf:params:oauth:token-type:";

        @Override
        public Login obtain(Terms terms, TokenEndpoint tokens, @Nullable Dpop dpop)
                throws IOException {
            Map<String, String> form = Grant.form(JWT_BEARER, terms);
            form.put("assertion", statement(terms, tokens));
            return Grant.login(
                    terms, client, tokens.tokens(terms.server(), client, form, dpop), dpop);
        }

        private String statement(Terms terms, TokenEndpoint tokens) throws IOException {
            Map<String, String> form = Grant.form(TOKEN_EXCHANGE, terms);
            form.put("requested_token_type", TYPES + "id-jag");
            form.put("audience", terms.server().issuer());
            form.put("subject_token", idToken.get());
            form.put("subject_token_type", TYPES + "id_token");
            return tokens.assertion(provider(), atProvider, form);
        }

        private AuthorizationServer provider() {
            return AuthorizationServer.withTokenEndpoint(
                    identityProvider.toString(), identityProvider);
        }
    }
}
