package dev.fairlead.auth.proxy;

import dev.fairlead.auth.wire.Origin;
import dev.fairlead.json.JsonObject;

/** Ends a login at the wish of its client (RFC 7009), whichever of its tokens that shows. */
final class TokenRevocation implements ClientEndpoint.Service {
    private final Clients clients;
    private final Logins logins;

    TokenRevocation(Clients clients, Logins logins) {
        this.clients = clients;
        this.logins = logins;
    }

    @Override
    public JsonObject answer(String body, Origin from) throws OAuthFailure {
        Form form = Form.parse(body);
        String client = clients.known(form);
        logins.revoke(form.need("token"), client);
        return JsonObject.EMPTY;
    }
}
