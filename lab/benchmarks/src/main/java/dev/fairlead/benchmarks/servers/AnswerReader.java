package dev.fairlead.benchmarks.servers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the answers on one connection, one after the other, with as little work as possible: the
 * client must not be the bottleneck. Knows lengths and chunks, and nothing else of HTTP. Used by
 * one thread.
 */
final class AnswerReader {
    private static final byte[] LENGTH = bytes("content-length:");
    private static final byte[] CHUNKED = bytes("transfer-encoding: chunked");

    private byte[] received = new byte[4 << 10];
    private int end;
    private int bodyStart = -1;
    private int length;
    private boolean chunked;
    private int chunkAt;
    private int bodyLength;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Forgets the last answer. */
    void reset() {
        end = 0;
        bodyStart = -1;
        bodyLength = 0;
    }

    /** Takes received bytes; returns whether the answer is complete now. */
    boolean take(ByteBuffer bytes) throws IOException {
        int more = bytes.remaining();
        if (end + more > received.length) {
            received = Arrays.copyOf(received, Math.max(2 * received.length, end + more));
        }
        bytes.get(received, end, more);
        end += more;
        if (bodyStart < 0 && !readHead()) {
            return false;
        }
        return chunked ? readChunks() : readAll();
    }

    /** Whether the head of the answer has arrived. */
    boolean hasHead() {
        return bodyStart >= 0;
    }

    private boolean readHead() throws IOException {
        int blank = find("\r\n\r\n", 0);
        if (blank < 0) {
            return false;
        }
        bodyStart = blank + 4;
        chunkAt = bodyStart;
        chunked = headerAt(CHUNKED) >= 0;
        int at = headerAt(LENGTH);
        length = at < 0 ? 0 : number(at + LENGTH.length);
        int status = number(9);
        if (status != 200 && status != 202) {
            throw new IOException("an answer is " + text(0, Math.min(end, 500)));
        }
        return true;
    }

    private boolean readAll() {
        bodyLength = length;
        return end - bodyStart >= length;
    }

    /** Moves the chunks together, in place. */
    private boolean readChunks() {
        while (true) {
            int line = find("\r\n", chunkAt);
            if (line < 0) {
                return false;
            }
            int size = Integer.parseInt(text(chunkAt, line).strip(), 16);
            int next = line + 2 + size + 2;
            if (next > end) {
                return false;
            }
            if (size == 0) {
                return true;
            }
            System.arraycopy(received, line + 2, received, bodyStart + bodyLength, size);
            bodyLength += size;
            chunkAt = next;
        }
    }

    private int find(String wanted, int from) {
        for (int at = from; at <= end - wanted.length(); at++) {
            int same = 0;
            while (same < wanted.length() && received[at + same] == wanted.charAt(same)) {
                same++;
            }
            if (same == wanted.length()) {
                return at;
            }
        }
        return -1;
    }

    /** Returns the start of the header line with this name, in lower case. */
    private int headerAt(byte[] name) {
        for (int line = find("\r\n", 0) + 2; line < bodyStart - 2; line = find("\r\n", line) + 2) {
            int same = 0;
            while (same < name.length && lower(received[line + same]) == name[same]) {
                same++;
            }
            if (same == name.length) {
                return line;
            }
        }
        return -1;
    }

    private static int lower(byte character) {
        return character >= 'A' && character <= 'Z' ? character + 32 : character;
    }

    private int number(int from) {
        int at = from;
        while (received[at] == ' ') {
            at++;
        }
        int number = 0;
        for (; received[at] >= '0' && received[at] <= '9'; at++) {
            number = 10 * number + received[at] - '0';
        }
        return number;
    }

    /** Whether this is the answer to the last call of a template. */
    boolean answers(CallTemplate template) {
        return template.isAnsweredBy(received, bodyStart, bodyStart + bodyLength);
    }

    /** The body as text. */
    String body() {
        return text(bodyStart, bodyStart + bodyLength);
    }

    /** The value of a header. */
    Optional<String> header(String name) {
        Matcher matcher = Pattern.compile("(?im)^" + name + ": *(.*)$").matcher(text(0, bodyStart));
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private String text(int from, int to) {
        return new String(received, from, to - from, StandardCharsets.UTF_8);
    }
}
