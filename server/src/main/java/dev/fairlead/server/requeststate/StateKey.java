package dev.fairlead.server.requeststate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key from which those of states are derived. Immutable.
 *
 * @param id the start of a digest of the key
 */
record StateKey(int id, SecretKeySpec secret) {
    /** The fewest bytes of a key. */
    static final int MIN_BYTES = 32;

    private static final String HMAC = "HmacSHA256";
    private static final byte[] LABEL =
            "fairlead request state v1".getBytes(StandardCharsets.UTF_8);

    static StateKey of(byte[] secret) {
        if (secret.length < MIN_BYTES) {
            throw new IllegalArgumentException(
                    "a key must have at least 32 bytes but has " + secret.length);
        }
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update("fairlead request state key".getBytes(StandardCharsets.UTF_8));
            int id = ByteBuffer.wrap(sha256.digest(secret)).getInt();
            return new StateKey(id, new SecretKeySpec(secret, HMAC));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the AES key of the state whose salt is this part of an array. */
    SecretKeySpec derive(byte[] salted, int from, int length) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(HMAC);
        mac.init(secret);
        mac.update(LABEL);
        mac.update(salted, from, length);
        return new SecretKeySpec(mac.doFinal(), "AES");
    }
}
