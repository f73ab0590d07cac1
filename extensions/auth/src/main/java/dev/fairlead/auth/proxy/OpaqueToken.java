package dev.fairlead.auth.proxy;

import dev.fairlead.protocol.platform.RandomBytes;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/** Random tokens that contain no information; the server stores their hashes alone. */
final class OpaqueToken {
    private static final int HALF = 16;
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{43}");

    private OpaqueToken() {}

    /** 256 random bits, as 43 characters of a URL. */
    static String random() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(RandomBytes.of(2 * HALF));
    }

    /**
     * 128 random bits and as many of a signature over them and these texts, as 43 characters of a
     * URL.
     */
    static String sealed(Seal seal, String... parts) {
        return sealed(seal, RandomBytes.of(HALF), parts);
    }

    private static String sealed(Seal seal, byte[] half, String... parts) {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        String[] all = Arrays.copyOf(parts, parts.length + 1);
        all[parts.length] = base64.encodeToString(half);
        byte[] both = Arrays.copyOf(half, 2 * HALF);
        System.arraycopy(seal.bytes(all), 0, both, HALF, HALF);
        return base64.encodeToString(both);
    }

    /** Returns whether it was made so, of the same texts. */
    static boolean isSealed(String text, Seal seal, String... parts) {
        if (!isOne(text)) {
            return false;
        }
        byte[] half = Arrays.copyOf(Base64.getUrlDecoder().decode(text), HALF);
        return same(text, sealed(seal, half, parts));
    }

    /** Returns whether it has the form of one. A SHA-256 as text has the same. */
    static boolean isOne(String text) {
        return FORM.matcher(text).matches();
    }

    /** Returns whether both are the same, compared in constant time. */
    static boolean same(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
