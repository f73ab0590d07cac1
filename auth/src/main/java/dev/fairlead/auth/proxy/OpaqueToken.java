package dev.fairlead.auth.proxy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** What nobody can guess and nothing can be read from; the server keeps hashes alone. */
final class OpaqueToken {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{43}");

    private OpaqueToken() {}

    /** 256 random bits, as 43 characters of a URL. */
    static String random() {
        byte[] bits = new byte[32];
        RANDOM.nextBytes(bits);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    }

    /** Whether it has the form of one. A SHA-256 as text has the same. */
    static boolean isOne(String text) {
        return FORM.matcher(text).matches();
    }

    /** Whether both are the same, in a time that does not tell how much of them is. */
    static boolean same(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
