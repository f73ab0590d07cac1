package dev.fairlead.http.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.protocol.platform.HmacSha256;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;

/**
 * Signs the requests between nodes and their answers, by the first of the keys that they share, and
 * checks them against all. Thread-safe.
 */
public final class PeerKeys {
    private static final byte[] REQUEST = "fairlead peers v1 request ".getBytes(UTF_8);
    private static final byte[] ANSWER = "fairlead peers v1 answer ".getBytes(UTF_8);
    private static final HexFormat HEX = HexFormat.of();

    private final Supplier<List<byte[]>> secrets;

    /**
     * @param secrets those of the nodes; never empty
     */
    public PeerKeys(Supplier<List<byte[]>> secrets) {
        this.secrets = secrets;
    }

    /** Returns the signature of a request. */
    String sign(byte[] message) {
        return signature(REQUEST, message);
    }

    /** Returns the signature of an answer with this status to a request of this signature. */
    String signAnswer(String request, int status) {
        return signature(ANSWER, answer(request, status));
    }

    /** Returns whether one of the keys has signed a request. */
    boolean verify(String signature, byte[] message) {
        return verify(REQUEST, signature, message);
    }

    /** Returns whether one of the keys has signed an answer with this status to a request. */
    boolean verifyAnswer(String signature, String request, int status) {
        return verify(ANSWER, signature, answer(request, status));
    }

    private static byte[] answer(String request, int status) {
        return (request + ' ' + status).getBytes(UTF_8);
    }

    private String signature(byte[] label, byte[] message) {
        return HEX.formatHex(mac(secrets.get().getFirst(), label, message));
    }

    private static byte[] mac(byte[] secret, byte[] label, byte[] message) {
        return new HmacSha256(secret, label).bytes(message);
    }

    /** Takes as long for each wrong signature. */
    private boolean verify(byte[] label, String signature, byte[] message) {
        byte[] signed;
        try {
            signed = HEX.parseHex(signature);
        } catch (IllegalArgumentException e) {
            return false;
        }
        boolean valid = false;
        for (byte[] secret : secrets.get()) {
            valid |= MessageDigest.isEqual(mac(secret, label, message), signed);
        }
        return valid;
    }
}
