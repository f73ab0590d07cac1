package dev.fairlead.auth.proxy;

/** Why a request to the proxy is refused, by an error code of OAuth. */
final class OAuthFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final String description;

    /**
     * @param description what the other side is told: fixed words, nothing that it sent
     */
    OAuthFailure(int status, String code, String description) {
        super(code + ": " + description, null, false, false);
        this.status = status;
        this.code = code;
        this.description = description;
    }

    static OAuthFailure invalidRequest(String description) {
        return new OAuthFailure(400, "invalid_request", description);
    }

    static OAuthFailure invalidGrant(String description) {
        return new OAuthFailure(400, "invalid_grant", description);
    }

    int status() {
        return status;
    }

    /**
     * Whether the body was left unread, so that what follows on the connection is not a request.
     */
    boolean leavesBody() {
        return status == 413 || status == 415;
    }

    String code() {
        return code;
    }

    String description() {
        return description;
    }
}
