package dev.fairlead.auth.client;

/**
 * What {@link OAuth#logout} did. The login is forgotten in any case.
 *
 * @spec https://www.rfc-editor.org/rfc/rfc7009 RFC 7009
 */
public sealed interface Logout {
    /** There was no login. */
    record NotLoggedIn() implements Logout {}

    /**
     * The issuer has revoked the tokens: nobody can use them any more.
     *
     * @param issuer of the tokens
     */
    record Revoked(String issuer) implements Logout {}

    /**
     * The login is forgotten, but the issuer has not revoked its tokens: whoever has a copy can use
     * them until they end.
     *
     * @param issuer of the tokens
     * @param reason for people, such as that the issuer revokes no tokens
     */
    record Forgotten(String issuer, String reason) implements Logout {}
}
