package dev.fairlead.http.loop;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Request line and fields, as they were sent, and what they mean. Immutable. */
final class RequestHead {
    /** How many numbers {@link #fields} has for each field: both ends of name and value. */
    static final int FIELD = 4;

    private final byte[] bytes;
    private final int[] fields;
    private final @Nullable String[] values; // those that were asked for
    private final String method;
    private final RequestTarget target;
    private final boolean oldVersion;
    private final long length;
    private final boolean chunked;
    private final boolean last;
    private final boolean continueExpected;

    /**
     * @param bytes the head alone
     * @param fields for each field where name and value begin and end in these
     * @param oldVersion whether it is HTTP/1.0
     * @throws BadRequestException if fields contradict each other, or have an unknown meaning
     */
    RequestHead(byte[] bytes, int[] fields, String method, RequestTarget target, boolean oldVersion)
            throws BadRequestException {
        this.bytes = bytes;
        this.fields = fields;
        this.values = new @Nullable String[fields.length / FIELD];
        this.method = method;
        this.target = target;
        this.oldVersion = oldVersion;
        FieldRules rules = new FieldRules(this);
        rules.checkHost(target.authority());
        this.chunked = rules.isChunked();
        this.length = rules.length();
        this.continueExpected = rules.isContinueExpected();
        boolean body = chunked || length > 0;
        this.last = rules.isLast() || (continueExpected && !body);
    }

    String method() {
        return method;
    }

    RequestTarget target() {
        return target;
    }

    /** Whether the request is of HTTP/1.0. */
    boolean isOldVersion() {
        return oldVersion;
    }

    boolean isHeadRequest() {
        return method.equals("HEAD");
    }

    /** The bytes of the body; 0 where there is none, or where it is chunked. */
    long length() {
        return length;
    }

    boolean isChunked() {
        return chunked;
    }

    /**
     * Whether the connection is closed after the answer: the client asks for that, or it waits for
     * leave to send a body that there is not.
     */
    boolean isLast() {
        return last;
    }

    /** Whether the client waits for 100 before it sends the body. */
    boolean isContinueExpected() {
        return continueExpected;
    }

    /** The values of a field, in their order. */
    List<String> values(String name) {
        int first = find(name, 0);
        if (first < 0) {
            return List.of();
        }
        int next = find(name, first + FIELD);
        if (next < 0) {
            return List.of(value(first));
        }
        List<String> values = new ArrayList<>();
        for (int i = first; i >= 0; i = find(name, i + FIELD)) {
            values.add(value(i));
        }
        return values;
    }

    /** The first value of a field. */
    Optional<String> value(String name) {
        int first = find(name, 0);
        return first < 0 ? Optional.empty() : Optional.of(value(first));
    }

    /** Two threads may make the same text, which does no harm. */
    private String value(int field) {
        String text = values[field / FIELD];
        if (text == null) {
            int start = fields[field + 2];
            text = new String(bytes, start, fields[field + 3] - start, StandardCharsets.ISO_8859_1);
            values[field / FIELD] = text;
        }
        return text;
    }

    private int find(String name, int from) {
        for (int i = from; i < fields.length; i += FIELD) {
            if (isNamed(name, fields[i], fields[i + 1])) {
                return i;
            }
        }
        return -1;
    }

    private boolean isNamed(String name, int start, int end) {
        if (end - start != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (lower(bytes[start + i]) != lower(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    }
}
