package dev.fairlead.auth.server;

/** Why a request is not admitted. */
final class TokenRefusal extends Exception {
    private static final long serialVersionUID = 1;

    /** RFC 6750, 3.1; without an error code where there is no token at all. */
    enum Kind {
        MISSING(401, ""),
        INVALID_TOKEN(401, "invalid_token"),
        INVALID_REQUEST(400, "invalid_request");

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
     * @param description what the client is told, in ASCII without quotes
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
