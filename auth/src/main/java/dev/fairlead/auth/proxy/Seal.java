package dev.fairlead.auth.proxy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs what goes through a browser, with a key of this process alone. Safe for use by several
 * threads.
 */
final class Seal {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    Seal() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        key = new SecretKeySpec(random, ALGORITHM);
    }

    /**
     * The signature over these texts, in their order.
     *
     * @param parts the first says what for, so that none serves for another purpose
     */
    String of(String... parts) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(parts));
    }

    /** The 32 bytes of the signature. */
    byte[] bytes(String... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            for (String part : parts) { // with its length, so that none can be moved to the next
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                mac.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
                mac.update(bytes);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every platform has " + ALGORITHM, e);
        }
    }

    boolean isOf(String seal, String... parts) {
        return OpaqueToken.same(seal, of(parts));
    }
}
