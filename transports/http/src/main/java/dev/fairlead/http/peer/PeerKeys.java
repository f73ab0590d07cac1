package dev.fairlead.http.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.protocol.platform.HmacSha256;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;

/**
 * Signs the requests between nodes, by the first of the keys that they share, and checks them
 * against all. Thread-safe.
 */
public final class PeerKeys {
    private static final byte[] LABEL = "fairlead peers v1 request ".getBytes(UTF_8);
    private static final HexFormat HEX = HexFormat.of();

    private final Supplier<List<byte[]>> secrets;

    /**
     * @param secrets those of the nodes; never empty
     */
    public PeerKeys(Supplier<List<byte[]>> secrets) {
        this.secrets = secrets;
    }

    private static byte[] mac(byte[] secret, byte[] message) {
        return new HmacSha256(secret, LABEL).bytes(message);
    }

    String sign(byte[] message) {
        return HEX.formatHex(mac(secrets.get().getFirst(), message));
    }

    /** Returns whether one of the keys has signed a message; takes as long for each wrong one. */
    boolean verify(String signature, byte[] message) {
        byte[] signed;
        try {
            signed = HEX.parseHex(signature);
        } catch (IllegalArgumentException e) {
            return false;
        }
        boolean valid = false;
        for (byte[] secret : secrets.get()) {
            valid |= MessageDigest.isEqual(mac(secret, message), signed);
        }
        return valid;
    }
}
