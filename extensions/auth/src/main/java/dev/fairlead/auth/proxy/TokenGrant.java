package dev.fairlead.auth.proxy;

import dev.fairlead.auth.proxy.ProxyLogin.Grant;
import dev.fairlead.auth.wire.Origin;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.platform.Sha256;

/** The token endpoint: gives tokens for codes and for refresh tokens. */
final class TokenGrant implements ClientEndpoint.Service {
    private final Clients clients;
    private final Logins logins;
    private final ProxyTerms terms;

    TokenGrant(Clients clients, Logins logins, ProxyTerms terms) {
        this.clients = clients;
        this.logins = logins;
        this.terms = terms;
    }

    @Override
    public JsonObject answer(String body, Origin from) throws OAuthFailure {
        Form form = Form.parse(body);
        String client = clients.known(form);
        terms.requireResource(form);
        IssuedTokens tokens =
                switch (form.need("grant_type")) {
                    case "authorization_code" ->
                            logins.redeem(form.need("code"), grant -> check(form, client, grant));
                    case "refresh_token" ->
                            logins.refresh(
                                    form.need("refresh_token"),
                                    grant -> requireClient(client, grant));
                    default ->
                            throw new OAuthFailure(
                                    400,
                                    "unsupported_grant_type",
                                    "grant_type must be authorization_code or refresh_token");
                };
        return json(tokens);
    }

    private static void check(Form form, String client, Grant grant) throws OAuthFailure {
        requireClient(client, grant);
        String redirect = form.get("redirect_uri");
        if (!redirect.isEmpty() && !redirect.equals(grant.redirect())) {
            throw OAuthFailure.invalidGrant("The code was issued for another redirect URI");
        }
        String challenge = Sha256.of(form.get("code_verifier"));
        if (!OpaqueToken.same(challenge, grant.challenge())) {
            throw OAuthFailure.invalidGrant("The code verifier is not the one of the challenge");
        }
    }

    private static void requireClient(String client, Grant grant) throws OAuthFailure {
        if (!client.equals(grant.client())) {
            throw OAuthFailure.invalidGrant("This was issued to another client");
        }
    }

    private static JsonObject json(IssuedTokens tokens) {
        JsonObject json =
                JsonObject.of(
                        "access_token", tokens.access(),
                        "token_type", "Bearer",
                        "expires_in", tokens.lifetime().toSeconds(),
                        "refresh_token", tokens.refresh());
        return tokens.scopes().isEmpty()
                ? json
                : json.with("scope", String.join(" ", tokens.scopes().stream().sorted().toList()));
    }
}
