package dev.fairlead.protocol.platform;

import java.security.SecureRandom;

/** Creates unpredictable bytes. */
public final class RandomBytes {
    /** The source of randomness, created with the first bytes: finding it delays a start. */
    private static final SecureRandom SOURCE = new SecureRandom();

    private RandomBytes() {}

    /** Returns new bytes. */
    public static byte[] of(int size) {
        byte[] bytes = new byte[size];
        SOURCE.nextBytes(bytes);
        return bytes;
    }
}
