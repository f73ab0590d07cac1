package dev.fairlead.tasks;

import dev.fairlead.protocol.platform.RandomBytes;
import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * Encodes positions in a list as opaque text, and decodes only text that it encoded itself.
 * Thread-safe.
 */
final class PageCursor {
    private static final int SIZE = 2 * Long.BYTES;

    private byte @Nullable [] secret; // guarded by this

    private synchronized byte[] secret() {
        byte[] made = secret;
        if (made == null) {
            made = RandomBytes.of(16);
            secret = made;
        }
        return made;
    }

    String write(long place) {
        byte[] bytes = ByteBuffer.allocate(SIZE).putLong(place).putLong(seal(place)).array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Returns the position that a text encodes.
     *
     * @throws IllegalArgumentException if the text was not encoded here
     */
    long read(String text) {
        byte[] bytes = Base64.getUrlDecoder().decode(text);
        if (bytes.length == SIZE) {
            long place = ByteBuffer.wrap(bytes).getLong();
            if (write(place).equals(text)) {
                return place;
            }
        }
        throw new IllegalArgumentException("the cursor does not come from this list");
    }

    private long seal(long place) {
        byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(place).array();
        return ByteBuffer.wrap(Sha256.bytes(secret(), number)).getLong();
    }
}
