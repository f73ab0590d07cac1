package dev.fairlead.http.loop;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Request line and fields, as they were sent, and their meaning. Immutable. Clients send nearly the
 * same head with each request, so it is parsed once for several: see {@link #repeatedIn}.
 */
final class RequestHead {
    /** How many numbers {@link #fields} has for each field: both ends of name and value. */
    static final int FIELD = 4;

    private static final String LENGTH = "Content-Length";

    private final byte[] bytes; // of the head that was parsed, which may have another length
    private final int[] fields;
    private final @Nullable Value[] values; // those that were asked for
    private final int lengthField; // -1 if there is none
    private final int size;
    private final boolean repeated; // has a length of its own
    private final String method;
    private final RequestTarget target;
    private final boolean oldVersion;
    private final long length;
    private final boolean chunked;
    private final boolean last;
    private final boolean continueExpected;
    private @Nullable Value ownLength; // of a repeated head; made when it is asked for

    /** The value of one field. */
    private record Value(String text, List<String> list, Optional<String> optional) {
        static Value of(String text) {
            return new Value(text, List.of(text), Optional.of(text));
        }
    }

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
        this.values = new @Nullable Value[fields.length / FIELD];
        this.lengthField = find(LENGTH, 0);
        this.size = bytes.length;
        this.repeated = false;
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

    /** The same head with another length of the body. */
    private RequestHead(RequestHead same, long length, int size) {
        this.bytes = same.bytes;
        this.fields = same.fields;
        this.values = same.values;
        this.lengthField = same.lengthField;
        this.size = size;
        this.repeated = true;
        this.method = same.method;
        this.target = same.target;
        this.oldVersion = same.oldVersion;
        this.length = length;
        this.chunked = same.chunked;
        this.last = same.last;
        this.continueExpected = same.continueExpected;
    }

    /**
     * The head at the beginning of bytes that have arrived, if it is this one again, apart from the
     * length of the body; null if it is another, or its end is missing.
     */
    @Nullable RequestHead repeatedIn(byte[] arrived, int from, int to) {
        if (continueExpected) { // its meaning depends on the length
            return null;
        }
        if (lengthField < 0) {
            return isAt(arrived, from, to, 0, bytes.length) ? this : null;
        }
        int digits = fields[lengthField + 2];
        if (!isAt(arrived, from, to, 0, digits)) {
            return null;
        }
        int end = from + digits;
        long other = 0;
        while (end < to
                && end - from - digits < FieldRules.DIGITS
                && Syntax.isDigit(arrived[end])) {
            other = other * 10 + (arrived[end++] - '0');
        }
        int rest = fields[lengthField + 3];
        if (end == from + digits || !isAt(arrived, end, to, rest, bytes.length)) {
            return null;
        }
        int newSize = end - from + bytes.length - rest;
        return other == length && newSize == size ? this : new RequestHead(this, other, newSize);
    }

    /** Returns whether a part of this head stands at the beginning of bytes that have arrived. */
    private boolean isAt(byte[] arrived, int from, int to, int start, int end) {
        return end - start <= to - from
                && Arrays.equals(bytes, start, end, arrived, from, from + end - start);
    }

    /** Returns how many bytes it had when it arrived. */
    int size() {
        return size;
    }

    String method() {
        return method;
    }

    RequestTarget target() {
        return target;
    }

    /** Returns whether the request is of HTTP/1.0. */
    boolean isOldVersion() {
        return oldVersion;
    }

    boolean isHeadRequest() {
        return method.equals("HEAD");
    }

    /** Returns whether the client has announced the bytes of the body. */
    boolean hasLength() {
        return lengthField >= 0;
    }

    /** The bytes of the body; 0 where there is none, or where it is chunked. */
    long length() {
        return length;
    }

    boolean isChunked() {
        return chunked;
    }

    /**
     * Returns whether the connection is closed after the answer: the client asks for that, or it
     * waits for leave to send a body that there is not.
     */
    boolean isLast() {
        return last;
    }

    /** Returns whether the client waits for 100 before it sends the body. */
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
            return value(first).list();
        }
        List<String> values = new ArrayList<>();
        for (int i = first; i >= 0; i = find(name, i + FIELD)) {
            values.add(value(i).text());
        }
        return values;
    }

    /** The names of the fields, each once. */
    Set<String> names() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < fields.length; i += FIELD) {
            names.add(
                    new String(
                            bytes,
                            fields[i],
                            fields[i + 1] - fields[i],
                            StandardCharsets.ISO_8859_1));
        }
        return names;
    }

    /** The first value of a field. */
    Optional<String> value(String name) {
        int first = find(name, 0);
        return first < 0 ? Optional.empty() : value(first).optional();
    }

    /** Drops the values that were asked for, which are made again if they are needed. */
    void forgetValues() {
        Arrays.fill(values, null);
        ownLength = null;
    }

    /** Two threads may make the same value, which does no harm. */
    private Value value(int field) {
        if (repeated && field == lengthField) {
            Value own = ownLength; // read once, since another thread may forget it
            if (own == null) {
                own = Value.of(Long.toString(length));
                ownLength = own;
            }
            return own;
        }
        Value value = values[field / FIELD];
        if (value == null) {
            int start = fields[field + 2];
            value =
                    Value.of(
                            new String(
                                    bytes,
                                    start,
                                    fields[field + 3] - start,
                                    StandardCharsets.ISO_8859_1));
            values[field / FIELD] = value;
        }
        return value;
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
