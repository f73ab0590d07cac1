package dev.fairlead.auth.client;

import dev.fairlead.http.client.AuthorizationException;

import java.net.URI;
import java.util.Set;

/**
 * Thrown with {@link OAuth#withTokenStore} when a server requires a login that the store does not
 * contain: there is none, it has ended, or it has too few scopes.
 */
public final class LoginRequiredException extends AuthorizationException {
    private static final long serialVersionUID = 1;

    private final transient URI server;
    private final transient Set<String> scopes;

    LoginRequiredException(URI server, Set<String> scopes) {
        super(
                scopes.isEmpty()
                        ? "not logged in to " + place(server)
                        : "the login to "
                                + place(server)
                                + " needs the scopes "
                                + String.join(" ", scopes));
        this.server = server;
        this.scopes = scopes;
    }

    /** Leaves out the query, which may contain a secret. */
    private static String place(URI server) {
        String text = server.toString();
        int query = text.indexOf('?');
        return query < 0 ? text : text.substring(0, query);
    }

    /** The MCP endpoint, as logins are kept for it. */
    public URI server() {
        return server;
    }

    /** The scopes that a login has to have; empty where the server is to be asked. */
    public Set<String> scopes() {
        return scopes;
    }
}
