package dev.fairlead.auth.proxy;

import dev.fairlead.auth.wire.Origin;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.platform.Sha256;

/**
 * The clients that have been approved in a browser: each with the redirect URI and the scopes that
 * the person was shown. A change of any of these requires consent again. Safe for use by several
 * threads.
 */
final class Approvals {
    static final int MAX_OF_ADDRESS = 2_000;
    static final int MAX = 20_000;

    private static final Approval GIVEN = new Approval();

    private final SealedValues<Approval> approved;

    Approvals(OwnedValues.Source store) {
        approved =
                new SealedValues<>(
                        store,
                        "approvals",
                        new OwnedValues.Share(MAX_OF_ADDRESS, MAX),
                        Browsers.KEPT,
                        Approval.class);
    }

    /** The value of an approval: everything is in its key. */
    record Approval() {}

    void approve(Origin from, String browser, AuthorizationRequest request) throws OAuthFailure {
        approved.putForOldest(from.address(), key(browser, request), GIVEN);
        approved.putForOldest(
                from.address(), key(browser, request.client(), request.redirect()), GIVEN);
    }

    boolean isApproved(String browser, AuthorizationRequest request) throws OAuthFailure {
        return approved.find(key(browser, request)).isPresent();
    }

    /**
     * Returns whether the person has approved in this browser that this client has them come back
     * there, with whichever scopes.
     */
    boolean isApproved(String browser, RegisteredClient client, ClientRedirect redirect)
            throws OAuthFailure {
        return approved.find(key(browser, client, redirect)).isPresent();
    }

    private static String key(String browser, RegisteredClient client, ClientRedirect redirect) {
        return Sha256.of(String.join("\n", browser, client.id(), redirect.uri()));
    }

    /** None of these has a line end, so no two of them make the same. */
    private static String key(String browser, AuthorizationRequest request) {
        return Sha256.of(
                String.join(
                        "\n",
                        browser,
                        request.client().id(),
                        request.redirect().uri(),
                        request.scopes().stream().sorted().reduce("", (a, b) -> a + " " + b)));
    }
}
