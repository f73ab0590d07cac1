package dev.fairlead.http.loop;

import dev.fairlead.http.spi.ResponseHead;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** Writes the heads of responses. */
final class ResponseEncoder {
    /** A body that comes in chunks. */
    static final long CHUNKED = -1;

    /** A body that ends with the connection. */
    static final long UNTIL_CLOSE = -2;

    /** No body, and no word of one. */
    static final long NONE = -3;

    static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] LENGTH = ascii("Content-Length: ");
    private static final byte[] TRANSFER = ascii("Transfer-Encoding: chunked\r\n");

    /** A body of at most so many bytes is copied behind its head, and sent by the same write. */
    private static final int SMALL = 16 << 10;

    private static final int FIXED = 160;
    private static final Map<Integer, byte[]> STATUS_LINES =
            Map.ofEntries(
                    statusLine(200, "OK"),
                    statusLine(201, "Created"),
                    statusLine(202, "Accepted"),
                    statusLine(204, "No Content"),
                    statusLine(400, "Bad Request"),
                    statusLine(401, "Unauthorized"),
                    statusLine(403, "Forbidden"),
                    statusLine(404, "Not Found"),
                    statusLine(405, "Method Not Allowed"),
                    statusLine(408, "Request Timeout"),
                    statusLine(413, "Content Too Large"),
                    statusLine(414, "URI Too Long"),
                    statusLine(429, "Too Many Requests"),
                    statusLine(431, "Request Header Fields Too Large"),
                    statusLine(500, "Internal Server Error"),
                    statusLine(503, "Service Unavailable"));

    private byte[] bytes;
    private int used;

    private static Map.Entry<Integer, byte[]> statusLine(int status, String reason) {
        return Map.entry(status, ascii("HTTP/1.1 " + status + " " + reason + "\r\n"));
    }

    private ResponseEncoder(int size) {
        this.bytes = new byte[size];
    }

    /** Returns whether a response with this status never has a body. */
    static boolean isBodiless(int status) {
        return status < 200 || status == 204 || status == 304;
    }

    /** Returns whether the application asks for the end of the connection. */
    static boolean isLast(ResponseHead head) {
        for (int i = 0; i < head.size(); i++) {
            if (head.name(i).equalsIgnoreCase("Connection")) {
                return head.value(i).equalsIgnoreCase("close");
            }
        }
        return false;
    }

    /**
     * A head, and the body if there is one.
     *
     * @param length of the body, or one of the constants
     * @param addClose whether a field that closes the connection is to be added
     * @throws IllegalArgumentException if a name or a value cannot be sent
     */
    static ByteBuffer[] encode(ResponseHead head, long length, boolean addClose, byte[] body) {
        boolean copied = body.length <= SMALL;
        int size = FIXED + (copied ? body.length : 0);
        for (int i = 0; i < head.size(); i++) {
            size += head.name(i).length() + head.value(i).length() + 4;
        }
        ResponseEncoder encoder = new ResponseEncoder(size);
        encoder.head(head, length, addClose);
        if (copied) {
            encoder.put(body);
            return new ByteBuffer[] {encoder.buffer()};
        }
        return new ByteBuffer[] {encoder.buffer(), ByteBuffer.wrap(body)};
    }

    private ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes, 0, used);
    }

    private void head(ResponseHead head, long length, boolean addClose) {
        byte[] line = STATUS_LINES.get(head.status());
        put(line == null ? statusLine(head.status(), "").getValue() : line);
        put(DateField.now());
        for (int i = 0; i < head.size(); i++) {
            if (!isOfTheConnection(head.name(i))) {
                field(head.name(i), head.value(i));
            }
        }
        if (addClose) {
            put(CLOSE);
        }
        if (length >= 0) {
            put(LENGTH);
            number(length);
            endLine();
        } else if (length == CHUNKED) {
            put(TRANSFER);
        }
        endLine();
    }

    private static boolean isOfTheConnection(String name) {
        return name.equalsIgnoreCase("Content-Length")
                || name.equalsIgnoreCase("Transfer-Encoding")
                || name.equalsIgnoreCase("Date");
    }

    private void field(String name, String value) {
        if (!Syntax.isToken(name)) {
            throw new IllegalArgumentException("not the name of a header: '" + name + "'");
        }
        ensure(name.length() + value.length() + 4);
        for (int i = 0; i < name.length(); i++) {
            bytes[used++] = (byte) name.charAt(i);
        }
        bytes[used++] = ':';
        bytes[used++] = ' ';
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!Syntax.isValue(c)) {
                throw new IllegalArgumentException(
                        "the header " + name + " has a control character");
            }
            bytes[used++] = (byte) (c < 256 ? c : '?');
        }
        endLine();
    }

    private void number(long value) {
        long unit = 1;
        while (value / unit >= 10) {
            unit *= 10;
        }
        ensure(20); // digits of the largest
        for (; unit > 0; unit /= 10) {
            bytes[used++] = (byte) ('0' + value / unit % 10);
        }
    }

    private void endLine() {
        ensure(2);
        bytes[used++] = '\r';
        bytes[used++] = '\n';
    }

    private void put(byte[] more) {
        ensure(more.length);
        System.arraycopy(more, 0, bytes, used, more.length);
        used += more.length;
    }

    private void ensure(int more) {
        if (used + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, used + more));
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
