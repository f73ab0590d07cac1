package dev.fairlead.auth.server;

/** A refusal of a request because of its token. */
final class TokenRefusal extends Exception {
    private static final long serialVersionUID = 1;

    /** RFC 6750, 3.1, and RFC 9449, 7.1; without an error code where no token is at fault. */
    enum Kind {
        MISSING(401, ""),
        INVALID_TOKEN(401, "invalid_token"),
        INVALID_REQUEST(400, "invalid_request"),
        INVALID_PROOF(401, "invalid_dpop_proof"),
        USE_NONCE(401, "use_dpop_nonce"),
        TOO_MANY(429, ""),
        BUSY(503, "");

        final int status;
        final String error;

        Kind(int status, String error) {
            this.status = status;
            this.error = error;
        }
    }

    private final Kind kind;
    private final String description;

    /**
     * @param description for the client, in ASCII without quotes
     */
    TokenRefusal(Kind kind, String description) {
        super(description, null, false, false);
        this.kind = kind;
        this.description = description;
    }

    Kind kind() {
        return kind;
    }

    String description() {
        return description;
    }
}
