package dev.fairlead.auth.proxy;

import dev.fairlead.protocol.platform.HmacSha256;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Signs values by a secret, such as the cookie of the browser that they go through: only that
 * browser can have a signed value, and each process of a server can verify it. Safe for use by
 * several threads.
 */
final class Seal {
    private final HmacSha256 hmac;

    /**
     * @param secret 256 random bits, as a text
     */
    Seal(String secret) {
        hmac = new HmacSha256(secret.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }

    /**
     * The signature over these texts, in their order.
     *
     * @param parts the first is the purpose, so that none serves for another
     */
    String of(String... parts) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(parts));
    }

    /** The 32 bytes of the signature. */
    byte[] bytes(String... parts) {
        StringBuilder all = new StringBuilder();
        for (String part : parts) { // with its length, so that none can be moved to the next
            all.append(part.length()).append(':').append(part);
        }
        return hmac.bytes(all.toString().getBytes(StandardCharsets.UTF_8));
    }

    boolean isOf(String seal, String... parts) {
        return OpaqueToken.same(seal, of(parts));
    }
}
