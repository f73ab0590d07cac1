package dev.fairlead.auth.server;

import dev.fairlead.protocol.platform.HmacSha256;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;

/**
 * The nonces that proofs have to contain (RFC 9449, 9). A nonce is a signed time, the same for all
 * clients, so that nothing is stored and every node with the same secret accepts it. Safe for use
 * by several threads.
 */
final class ProofNonces {
    /** How long a nonce is given out; it is taken for as long again. */
    static final Duration GIVEN = Duration.ofMinutes(2);

    private final HmacSha256 hmac;
    private final Clock clock;

    /**
     * @param secret shared by the nodes of this server alone
     */
    ProofNonces(byte[] secret, Clock clock) {
        hmac = new HmacSha256(secret, "DPoP ".getBytes(StandardCharsets.UTF_8));
        this.clock = clock;
    }

    /** The one to use now. */
    String current() {
        return of(turn());
    }

    /**
     * Returns whether it is given out now, or was before, or will be next: by a node ahead of this
     * one.
     */
    boolean isTaken(String nonce) {
        long turn = turn();
        return isSame(nonce, turn) || isSame(nonce, turn - 1) || isSame(nonce, turn + 1);
    }

    private boolean isSame(String nonce, long turn) {
        return MessageDigest.isEqual(
                nonce.getBytes(StandardCharsets.UTF_8), of(turn).getBytes(StandardCharsets.UTF_8));
    }

    private long turn() {
        return Math.floorDiv(clock.instant().getEpochSecond(), GIVEN.toSeconds());
    }

    private String of(long turn) {
        byte[] signed = hmac.bytes(Long.toString(turn).getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(signed);
    }
}
