package dev.fairlead.server.requeststate;

import org.jspecify.annotations.Nullable;

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
 * @param mac which has taken the label; it is copied, which is faster than to make another one
 */
record StateKey(int id, SecretKeySpec secret, Mac mac) {
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
            SecretKeySpec key = new SecretKeySpec(secret, HMAC);
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(LABEL);
            return new StateKey(id, key, mac);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the AES key of the state whose salt is this part of an array. */
    SecretKeySpec derive(byte[] salted, int from, int length) throws GeneralSecurityException {
        Mac copy = begun();
        copy.update(salted, from, length);
        return new SecretKeySpec(copy.doFinal(), "AES");
    }

    private Mac begun() throws GeneralSecurityException {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException e) { // of a provider that is not the platform's own
            return of(secret.getEncoded()).mac;
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StateKey key && secret.equals(key.secret);
    }

    @Override
    public int hashCode() {
        return id;
    }
}
