package dev.fairlead.server.internal;

import dev.fairlead.jsonrpc.JsonRpcException;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where the next page of a list goes on: behind the feature with this number, or within it.
 * Features keep their number as long as they are there, so that a page never repeats or skips one
 * because others came or went.
 *
 * @param list the method, so that the cursor of one list is no cursor of another
 * @param feature the number of the last feature given
 * @param within where to go on within what that feature lists; empty where it is done
 */
public record Cursor(String list, long feature, String within) {
    /** The longest cursor that is looked at. */
    public static final int MAX_LENGTH = 16_384;

    /** Reads a cursor that {@link #encode} made; fails with {@code -32602} on anything else. */
    public static Cursor decode(String list, String cursor) {
        try {
            if (cursor.length() > MAX_LENGTH) {
                throw new IllegalArgumentException("too long");
            }
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            String[] parts = text.split(":", 3);
            if (parts.length != 3 || !parts[0].equals(list)) {
                throw new IllegalArgumentException("of another list");
            }
            Cursor decoded = new Cursor(list, Long.parseLong(parts[1]), parts[2]);
            if (!decoded.encode().equals(cursor)) {
                throw new IllegalArgumentException("not in the form it was given out");
            }
            return decoded;
        } catch (IllegalArgumentException e) {
            throw JsonRpcException.invalidParams("Invalid cursor");
        }
    }

    public String encode() {
        String text = list + ":" + feature + ":" + within;
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
