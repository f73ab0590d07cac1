package dev.fairlead.auth.server;

import java.io.IOException;
import java.util.Optional;

/**
 * Verifies an access token and returns its claims, in a way of its own: for tokens that are no JWT
 * of a trusted issuer. Safe for use by several threads; may block.
 */
@FunctionalInterface
public interface TokenVerifier {
    /**
     * Verifies a token. Whether it was issued for this resource and has expired is checked
     * afterwards by the {@link ResourceServer}; everything else is checked here.
     *
     * @param token as it was sent; not to be logged
     * @return empty if it is not valid, or not one that this verifier knows
     * @throws IOException if that cannot be found out just now; the request is answered with 503
     */
    Optional<VerifiedToken> verify(String token) throws IOException, InterruptedException;
}
