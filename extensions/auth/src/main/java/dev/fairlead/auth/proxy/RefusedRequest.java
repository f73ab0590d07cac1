package dev.fairlead.auth.proxy;

/**
 * A request to authorize that a known client has made wrongly, or that the person has refused. See
 * {@link Refusals}.
 */
final class RefusedRequest extends Exception {
    private static final long serialVersionUID = 1;

    private final transient RegisteredClient client;
    private final transient ClientRedirect redirect;
    private final OAuthFailure failure;

    RefusedRequest(RegisteredClient client, ClientRedirect redirect, OAuthFailure failure) {
        super(failure.getMessage(), null, false, false);
        this.client = client;
        this.redirect = redirect;
        this.failure = failure;
    }

    RegisteredClient client() {
        return client;
    }

    ClientRedirect redirect() {
        return redirect;
    }

    OAuthFailure failure() {
        return failure;
    }

    /** The redirect by which the client receives the error. */
    String location() {
        return redirect.withError(failure.code(), failure.description());
    }
}
