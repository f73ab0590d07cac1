package dev.fairlead.auth.proxy;

import dev.fairlead.auth.wire.Sha256;

import java.time.Clock;

/**
 * Which clients have been approved in which browser (SEC-019): each with the redirect URI and the
 * scopes that the person was shown. Whatever of that changes is asked anew. Safe for use by several
 * threads.
 */
final class Approvals {
    static final int MAX = 20_000;

    private final Bounded<Boolean> approved;

    Approvals(Clock clock) {
        approved = new Bounded<>(MAX, Browsers.KEPT, clock);
    }

    void approve(String browser, AuthorizationRequest request) {
        approved.put(key(browser, request), true);
    }

    boolean isApproved(String browser, AuthorizationRequest request) {
        return approved.find(key(browser, request)).isPresent();
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
