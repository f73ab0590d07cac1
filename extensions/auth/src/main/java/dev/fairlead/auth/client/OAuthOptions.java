package dev.fairlead.auth.client;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.Proxies;
import dev.fairlead.protocol.options.CopyOnChange;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The options of an {@link OAuth}. */
final class OAuthOptions extends CopyOnChange<OAuthOptions> {
    private static final Duration LOGIN_TIMEOUT = Duration.ofMinutes(5);

    /** Null for a login with a browser. */
    final @Nullable Grant grant;

    final String clientName;
    @Nullable Client client;
    boolean keepSecret;
    @Nullable URI clientMetadata;
    int redirectPort;
    Duration loginTimeout = LOGIN_TIMEOUT;
    Consumer<URI> browser = new SystemBrowser();
    Scopes scopes = Scopes.NONE;
    Scopes additionalScopes = Scopes.NONE;
    TokenStore store = TokenStore.memory();
    boolean forcesLogin;
    boolean dpop;
    @Nullable String issuer;
    @Nullable Function<List<String>, String> choose;
    boolean defaultPlaces;
    @Nullable UrlPolicy policy;
    Proxies proxies = Proxies.system();

    private OAuthOptions(@Nullable Grant grant, String clientName) {
        this.grant = grant;
        this.clientName = clientName;
    }

    static OAuthOptions browser(String clientName) {
        return new OAuthOptions(null, clientName);
    }

    static OAuthOptions machine(Grant grant) {
        return new OAuthOptions(grant, "");
    }

    Discovery.Choice choice() {
        return new Discovery.Choice(
                issuer,
                choose == null ? List::getFirst : choose,
                scopes,
                additionalScopes,
                defaultPlaces);
    }

    /** The client whose credentials are sent to issuers; null where nothing secret is sent. */
    private @Nullable String clientWithCredentials() {
        if (grant != null) {
            Client named = grant.client();
            return grant.sendsCredentials() ? named == null ? "" : named.id() : null;
        }
        return client != null && client.hasCredentials() ? client.id() : null;
    }

    /**
     * Refuses to begin with credentials that would go to any issuer that a server names.
     *
     * @throws AuthorizationException if the application named neither an issuer nor a choice
     */
    void requireIssuerForCredentials() {
        String id = clientWithCredentials();
        if (id != null && issuer == null && choose == null) {
            throw new AuthorizationException(
                    "No issuer is named for the credentials of client "
                            + id
                            + "; name the one that may get them with OAuth.issuer");
        }
    }

    /** Returns whether a login that this issuer gave may be used, and shown these credentials. */
    boolean isUsableAt(String issuerOfLogin) {
        if (issuer != null) {
            return Urls.isIssuer(issuer, issuerOfLogin);
        }
        return clientWithCredentials() == null
                || isChosen(issuerOfLogin)
                || isChosen(Urls.otherName(issuerOfLogin));
    }

    private boolean isChosen(String known) {
        try {
            return choose != null && known.equals(choose.apply(List.of(known)));
        } catch (AuthorizationException e) { // the application wants no such issuer
            return false;
        }
    }
}
