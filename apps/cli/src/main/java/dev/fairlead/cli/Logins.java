package dev.fairlead.cli;

import dev.fairlead.auth.client.StoredLogin;
import dev.fairlead.cli.view.LoginList;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;

/** Logins as answers show them: never with a token. */
final class Logins {
    private Logins() {}

    static JsonObject json(StoredLogin login) {
        JsonObject json =
                JsonObject.of(
                        "server",
                        login.server().toString(),
                        "issuer",
                        login.issuer(),
                        "clientId",
                        login.clientId(),
                        "scopes",
                        JsonArray.of(login.scopes().toArray()),
                        "refreshable",
                        login.isRenewable());
        return login.expires() == null ? json : json.with("expiresAt", login.expires().toString());
    }

    static LoginList.Row row(StoredLogin login) {
        return new LoginList.Row(
                login.server().toString(),
                login.issuer(),
                login.clientId(),
                String.join(" ", login.scopes()),
                login.expires(),
                login.isRenewable());
    }
}
