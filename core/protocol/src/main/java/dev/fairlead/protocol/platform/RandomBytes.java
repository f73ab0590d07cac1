package dev.fairlead.protocol.platform;

import java.security.SecureRandom;

/** Bytes that cannot be guessed. */
public final class RandomBytes {
    /** Made with the first bytes: finding a source of randomness is felt at a start. */
    private static final SecureRandom SOURCE = new SecureRandom();

    private RandomBytes() {}

    /** Returns so many new bytes. */
    public static byte[] of(int size) {
        byte[] bytes = new byte[size];
        SOURCE.nextBytes(bytes);
        return bytes;
    }
}
