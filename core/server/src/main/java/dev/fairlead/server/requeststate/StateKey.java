package dev.fairlead.server.requeststate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.protocol.platform.HmacSha256;
import dev.fairlead.protocol.platform.Sha256;

import java.nio.ByteBuffer;

import javax.crypto.spec.SecretKeySpec;

/**
 * A key from which those of states are derived. Immutable.
 *
 * @param id the start of a digest of the key
 * @param mac by the key, over a label and a salt
 */
record StateKey(int id, HmacSha256 mac) {
    /** The fewest bytes of a key. */
    static final int MIN_BYTES = 32;

    private static final byte[] LABEL = "fairlead request state v1".getBytes(UTF_8);
    private static final byte[] ID_LABEL = "fairlead request state key".getBytes(UTF_8);

    private static final byte[] PEERS = "fairlead peers v1".getBytes(UTF_8);

    static StateKey of(byte[] secret) {
        if (secret.length < MIN_BYTES) {
            throw new IllegalArgumentException(
                    "a key must have at least 32 bytes but has " + secret.length);
        }
        int id = ByteBuffer.wrap(Sha256.bytes(ID_LABEL, secret)).getInt();
        return new StateKey(id, new HmacSha256(secret, LABEL));
    }

    /** Returns the secret by which nodes authenticate each other; salts of states are shorter. */
    byte[] ofPeers() {
        return mac.bytes(PEERS);
    }

    /** Returns the AES key of the state with this salt. */
    SecretKeySpec derive(byte[] salt) {
        return new SecretKeySpec(mac.bytes(salt), "AES");
    }
}
