package dev.fairlead.auth.client;

/**
 * The outcome of {@link OAuth#logout}. The login is removed from the store in any case.
 *
 * @spec https://www.rfc-editor.org/rfc/rfc7009 RFC 7009
 */
public sealed interface Logout {
    /** No login was stored. */
    record NotLoggedIn() implements Logout {}

    /**
     * The issuer has revoked the tokens; they can no longer be used.
     *
     * @param issuer of the tokens
     */
    record Revoked(String issuer) implements Logout {}

    /**
     * The login is removed, but the issuer has not revoked its tokens: a copy of them works until
     * they expire.
     *
     * @param issuer of the tokens
     * @param reason for people, such as that the issuer revokes no tokens
     */
    record Forgotten(String issuer, String reason) implements Logout {}
}
