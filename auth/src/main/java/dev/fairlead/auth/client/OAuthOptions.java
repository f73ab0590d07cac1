package dev.fairlead.auth.client;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.http.client.AuthorizationException;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The options of an {@link OAuth}.
 *
 * @param grant null for a login with a browser
 */
record OAuthOptions(
        @Nullable Grant grant,
        String clientName,
        @Nullable Client client,
        boolean keepSecret,
        @Nullable URI clientMetadata,
        int redirectPort,
        Duration loginTimeout,
        Consumer<URI> browser,
        Scopes scopes,
        Scopes additionalScopes,
        TokenStore store,
        boolean forcesLogin,
        boolean dpop,
        @Nullable String issuer,
        @Nullable Function<List<String>, String> choose,
        boolean defaultPlaces,
        @Nullable UrlPolicy policy) {

    private static final Duration LOGIN_TIMEOUT = Duration.ofMinutes(5);

    static OAuthOptions browser(String clientName) {
        return new Draft(null, clientName).options();
    }

    static OAuthOptions machine(Grant grant) {
        return new Draft(grant, "").options();
    }

    Person person() {
        return new Person(clientName, client, clientMetadata, redirectPort, loginTimeout, browser);
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
     * Refuses to begin with credentials that would go to whatever issuer a server names.
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

    /** Whether a login that this issuer gave may be used, and shown these credentials. */
    boolean isUsableAt(String issuerOfLogin) {
        if (issuer != null) {
            return issuer.equals(issuerOfLogin);
        }
        return clientWithCredentials() == null || isChosen(issuerOfLogin);
    }

    private boolean isChosen(String known) {
        try {
            return choose != null && known.equals(choose.apply(List.of(known)));
        } catch (AuthorizationException e) { // the application wants no such issuer
            return false;
        }
    }

    /** A copy that may be changed. */
    static final class Draft {
        private final @Nullable Grant grant;
        private final String clientName;
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

        private Draft(@Nullable Grant grant, String clientName) {
            this.grant = grant;
            this.clientName = clientName;
        }

        Draft(OAuthOptions options) {
            this(options.grant, options.clientName);
            client = options.client;
            keepSecret = options.keepSecret;
            clientMetadata = options.clientMetadata;
            redirectPort = options.redirectPort;
            loginTimeout = options.loginTimeout;
            browser = options.browser;
            scopes = options.scopes;
            additionalScopes = options.additionalScopes;
            store = options.store;
            forcesLogin = options.forcesLogin;
            dpop = options.dpop;
            issuer = options.issuer;
            choose = options.choose;
            defaultPlaces = options.defaultPlaces;
            policy = options.policy;
        }

        OAuthOptions options() {
            return new OAuthOptions(
                    grant,
                    clientName,
                    client,
                    keepSecret,
                    clientMetadata,
                    redirectPort,
                    loginTimeout,
                    browser,
                    scopes,
                    additionalScopes,
                    store,
                    forcesLogin,
                    dpop,
                    issuer,
                    choose,
                    defaultPlaces,
                    policy);
        }
    }
}
