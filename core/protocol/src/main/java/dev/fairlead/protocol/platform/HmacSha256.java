package dev.fairlead.protocol.platform;

import java.security.GeneralSecurityException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures (HMAC-SHA-256, RFC 2104) by one key. Thread-safe. */
public final class HmacSha256 {
    private static final String NAME = "HmacSHA256";

    private final SecretKeySpec key;
    private final byte[] start;
    private final Mac mac; // copied for each signature, which is faster than a new one

    /**
     * @param start the prefix of all signed bytes; may be empty
     * @throws IllegalArgumentException if the key is empty
     */
    public HmacSha256(byte[] secret, byte[] start) {
        this.key = new SecretKeySpec(secret, NAME);
        this.start = start.clone();
        this.mac = made();
    }

    private Mac made() {
        try {
            Mac made = Mac.getInstance(NAME);
            made.init(key);
            made.update(start);
            return made;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + NAME, e);
        }
    }

    /** Returns the 32 bytes of the signature over the start and these bytes. */
    public byte[] bytes(byte[] rest) {
        return copy().doFinal(rest);
    }

    private Mac copy() {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException e) { // of a foreign provider
            return made();
        }
    }
}
