package dev.fairlead.auth.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Digests of texts. */
public final class Sha256 {
    private Sha256() {}

    /**
     * The digest of a text in UTF-8, as base64url without padding: what the challenge of a code
     * verifier (S256) and {@code ath} in a proof are.
     */
    public static String of(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(text));
    }

    /** The digest of a text in UTF-8. */
    public static byte[] bytes(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
