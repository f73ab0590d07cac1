package dev.fairlead.auth.proxy;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/** Reads and checks requests of clients to the authorization endpoint. */
final class AuthorizationRequests {
    static final int LONGEST_STATE = 2_000;

    private final Clients clients;
    private final ProxyTerms terms;

    AuthorizationRequests(Clients clients, ProxyTerms terms) {
        this.clients = clients;
        this.terms = terms;
    }

    /**
     * @param query undecoded
     * @throws OAuthFailure if there is no redirect URI to report it to; the browser is not
     *     redirected
     * @throws RefusedRequest if something else is wrong
     */
    AuthorizationRequest read(String query) throws OAuthFailure, RefusedRequest {
        Form form = Form.parse(query);
        RegisteredClient client =
                clients.find(form.need("client_id"))
                        .orElseThrow(
                                () ->
                                        new OAuthFailure(
                                                400,
                                                "invalid_client",
                                                "The application is not registered here, or no"
                                                        + " longer"));
        String uri = form.need("redirect_uri");
        if (!client.mayComeBackTo(uri)) {
            throw OAuthFailure.invalidRequest(
                    "The application has not registered the place that it wants you to go back"
                            + " to");
        }
        ClientRedirect redirect =
                new ClientRedirect(uri, form.get("state"), terms.places().issuer());
        try {
            return new AuthorizationRequest(client, redirect, challenge(form), scopes(form));
        } catch (OAuthFailure failure) {
            throw new RefusedRequest(client, redirect, failure);
        }
    }

    private String challenge(Form form) throws OAuthFailure {
        if (!form.need("response_type").equals("code")) {
            throw new OAuthFailure(400, "unsupported_response_type", "response_type must be code");
        }
        if (form.get("state").length() > LONGEST_STATE) {
            throw OAuthFailure.invalidRequest("state is too long");
        }
        String challenge = form.need("code_challenge");
        if (!form.get("code_challenge_method").equals("S256") || !OpaqueToken.isOne(challenge)) {
            throw OAuthFailure.invalidRequest("PKCE with S256 is required");
        }
        terms.requireResource(form);
        return challenge;
    }

    /** Returns the requested scopes that exist. */
    private Set<String> scopes(Form form) throws OAuthFailure {
        if (form.get("scope").isEmpty()) {
            return terms.scopes();
        }
        Set<String> scopes = new LinkedHashSet<>(Arrays.asList(form.get("scope").split(" ")));
        scopes.retainAll(terms.allScopes());
        if (scopes.isEmpty() && !terms.allScopes().isEmpty()) {
            throw new OAuthFailure(400, "invalid_scope", "There are no such scopes");
        }
        return scopes;
    }
}
