package dev.fairlead.protocol.platform;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/** Digests of texts, in UTF-8, and of bytes. */
public final class Sha256 {
    private static final MessageDigest PLATFORM = platform();

    private Sha256() {}

    /**
     * Returns the digest of a text, as base64url without padding: the form of a code challenge
     * (S256) and of {@code ath} in a proof.
     */
    public static String of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the digest of these bytes, one array after the other, as base64url without padding.
     */
    public static String of(byte[]... parts) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(parts));
    }

    /** Returns the digest of a text, in hexadecimal digits. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(bytes(text));
    }

    /** Returns the digest of a text. */
    public static byte[] bytes(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the digest of these bytes, one array after the other. */
    public static byte[] bytes(byte[]... parts) {
        MessageDigest digest = copy();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    /** A copy: {@code getInstance} would leave something behind in every thread that calls it. */
    private static MessageDigest copy() {
        try {
            return (MessageDigest) PLATFORM.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("SHA-256 of this Java platform cannot be copied", e);
        }
    }

    private static MessageDigest platform() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
