package dev.fairlead.server.requeststate;

import dev.fairlead.protocol.platform.Sha256;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key from which those of states are derived. Immutable.
 *
 * @param id the start of a digest of the key
 * @param mac which has taken the label; it is copied, which is faster than to make another one
 */
record StateKey(int id, SecretKeySpec secret, Mac mac) {
    /** The fewest bytes of a key. */
    static final int MIN_BYTES = 32;

    private static final String HMAC = "HmacSHA256";
    private static final byte[] LABEL =
            "fairlead request state v1".getBytes(StandardCharsets.UTF_8);
    private static final byte[] ID_LABEL =
            "fairlead request state key".getBytes(StandardCharsets.UTF_8);

    private static final SecureRandom RANDOM = new SecureRandom();

    static byte[] random(int size) {
        byte[] bytes = new byte[size];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    static StateKey of(byte[] secret) {
        if (secret.length < MIN_BYTES) {
            throw new IllegalArgumentException(
                    "a key must have at least 32 bytes but has " + secret.length);
        }
        int id = ByteBuffer.wrap(Sha256.bytes(ID_LABEL, secret)).getInt();
        try {
            SecretKeySpec key = new SecretKeySpec(secret, HMAC);
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(LABEL);
            return new StateKey(id, key, mac);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    /** Returns the AES key of the state with this salt. */
    SecretKeySpec derive(byte[] salt) throws GeneralSecurityException {
        Mac copy;
        try {
            copy = (Mac) mac.clone();
        } catch (CloneNotSupportedException e) { // of a provider that is not the platform's own
            copy = of(secret.getEncoded()).mac;
        }
        return new SecretKeySpec(copy.doFinal(salt), "AES");
    }
}
