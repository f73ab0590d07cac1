package dev.fairlead.auth.proxy;

import java.util.Map;

/** A refusal of a request to the proxy, with an error code of OAuth. */
final class OAuthFailure extends Exception {
    private static final long serialVersionUID = 1;

    /** Seconds after which there may be room again. */
    private static final String RETRY_AFTER = "60";

    /** Seconds after which a store may answer again. */
    private static final String RETRY_STORE_AFTER = "5";

    private final int status;
    private final String code;
    private final String description;

    /**
     * @param description for the other side: fixed words, nothing that it sent
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

    /** Refuses a request because a limit is reached. */
    static OAuthFailure tooMany(String description) {
        return new OAuthFailure(429, "temporarily_unavailable", description);
    }

    /** Refuses a request because the store of the proxy fails. */
    static OAuthFailure unavailable() {
        return new OAuthFailure(
                503, "temporarily_unavailable", "Logins cannot be stored or read just now");
    }

    static OAuthFailure invalidGrant(String description) {
        return new OAuthFailure(400, "invalid_grant", description);
    }

    int status() {
        return status;
    }

    /** The headers of the answer. */
    Map<String, String> headers() {
        return switch (status) {
            case 413, 415 -> Map.of("Connection", "close"); // a body stays unread
            case 429 -> Map.of("Retry-After", RETRY_AFTER);
            case 503 -> Map.of("Retry-After", RETRY_STORE_AFTER);
            default -> Map.of();
        };
    }

    String code() {
        return code;
    }

    String description() {
        return description;
    }
}
