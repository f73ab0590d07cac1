package dev.fairlead.server.pagination;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.platform.Sha256;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The start of the next page of a list: after a feature, or within the list of that feature. A
 * cursor names features by digests, so it has the same meaning in every process that has the same
 * features, and remains valid while features come and go.
 *
 * @param list the list, so that a cursor of one list is invalid in another
 * @param features {@link #digest digests} of the last features that were listed, the last one
 *     first: the next page begins after the first of them that still exists
 * @param within the place within the list of the last feature; empty if that is complete
 */
public record Cursor(String list, List<String> features, String within) {
    /** The maximum length of a cursor. */
    public static final int MAX_LENGTH = 16_384;

    /** How many features a cursor names at most. */
    public static final int MAX_FEATURES = 8;

    private static final int DIGEST_BYTES = 6;
    private static final String DIGEST = "[A-Za-z0-9_-]{" + DIGEST_BYTES * 4 / 3 + "}";
    private static final Pattern FEATURES =
            Pattern.compile(DIGEST + "(\\." + DIGEST + "){0," + (MAX_FEATURES - 1) + "}");
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    public Cursor {
        features = List.copyOf(features);
    }

    /** Returns the digest of a feature. */
    public static String digest(String kind, String name) {
        byte[] hash = Sha256.bytes(kind + ' ' + name);
        return ENCODER.encodeToString(Arrays.copyOf(hash, DIGEST_BYTES));
    }

    /** Parses a text of {@link #encode}; fails with {@code -32602} on other texts. */
    public static Cursor decode(String list, String cursor) {
        try {
            if (cursor.length() > MAX_LENGTH) {
                throw new IllegalArgumentException("too long");
            }
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            String[] parts = text.split(":", 3);
            if (parts.length != 3
                    || !parts[0].equals(list)
                    || !FEATURES.matcher(parts[1]).matches()) {
                throw new IllegalArgumentException("of another list");
            }
            Cursor decoded = new Cursor(list, List.of(parts[1].split("\\.")), parts[2]);
            if (!decoded.encode().equals(cursor)) {
                throw new IllegalArgumentException("not in the form in which it was written");
            }
            return decoded;
        } catch (IllegalArgumentException e) {
            throw JsonRpcException.invalidParams("Invalid cursor");
        }
    }

    /** Writes the cursor as opaque text. */
    public String encode() {
        String text = list + ":" + String.join(".", features) + ":" + within;
        return ENCODER.encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
