package dev.fairlead.stdio;

import dev.fairlead.jsonrpc.MalformedMessageException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream into lines. Blank lines are passed over, a carriage return before the line end
 * belongs to it, and the last line needs no end. For use by one thread.
 */
final class LineReader {
    private static final int CHUNK = 64 << 10;

    /** The bytes of a line that is too long in which the id of its request is looked for. */
    private static final int BEGINNING = 4 << 10;

    private final InputStream in;
    private final int maxLength;
    private byte[] buffer = new byte[CHUNK];
    private int start; // of the line
    private int scanned; // up to here there is no line end
    private int end; // of the bytes read

    LineReader(InputStream in, int maxLength) {
        this.in = in;
        this.maxLength = checkMaxLength(maxLength);
    }

    static int checkMaxLength(int bytes) {
        if (bytes < 1 || bytes > 1 << 30) {
            throw new IllegalArgumentException(
                    "maximum message size must be 1 to 1073741824 bytes but was " + bytes);
        }
        return bytes;
    }

    /**
     * Waits for the next line that is not blank.
     *
     * @return its bytes without the line end; null at the end of the stream
     * @throws MalformedMessageException if the line is too long; it is skipped
     * @throws OutOfMemoryError if there is no memory for the line; it is skipped
     */
    byte @Nullable [] next() throws IOException {
        while (true) {
            int lineEnd = find();
            if (lineEnd < 0) {
                if (start == end) {
                    return null;
                }
                lineEnd = end; // the last line, without an end
            }
            int from = start;
            start = Math.min(lineEnd + 1, end);
            scanned = start;
            int to = trimmedEnd(from, lineEnd);
            if (to - from > maxLength) {
                throw tooLong(from, to);
            }
            if (to > from) {
                return Arrays.copyOfRange(buffer, from, to);
            }
        }
    }

    /** Reads on until there is a line end, and gives its place; -1 at the end of the stream. */
    private int find() throws IOException {
        while (true) {
            byte[] bytes = buffer;
            int at = scanned;
            while (at < end && bytes[at] != '\n') {
                at++;
            }
            scanned = at;
            if (at < end) {
                return at;
            }
            if (end - start > maxLength + 1L) { // one for a carriage return
                MalformedMessageException tooLong = tooLong(start, end);
                skipLine();
                throw tooLong;
            }
            try {
                makeRoom();
            } catch (OutOfMemoryError e) { // the next line may be shorter
                skipLine();
                throw e;
            }
            int count = in.read(buffer, end, buffer.length - end);
            if (count < 0) {
                return -1;
            }
            end += count;
        }
    }

    private void makeRoom() {
        if (start == end) {
            if (buffer.length > CHUNK) {
                buffer = new byte[CHUNK]; // the room of one large message is not kept
            }
            start = 0;
            scanned = 0;
            end = 0;
        } else if (end == buffer.length) {
            int length = end - start;
            byte[] target =
                    length > buffer.length / 2
                            ? new byte[(int) Math.min(2L * buffer.length, maxLength + (long) CHUNK)]
                            : buffer;
            System.arraycopy(buffer, start, target, 0, length);
            buffer = target;
            start = 0;
            scanned = length;
            end = length;
        }
    }

    /** Forgets everything up to the next line end. */
    private void skipLine() throws IOException {
        while (true) {
            for (int i = scanned; i < end; i++) {
                if (buffer[i] == '\n') {
                    start = i + 1;
                    scanned = start;
                    return;
                }
            }
            start = 0;
            scanned = 0;
            end = 0;
            int count = in.read(buffer, 0, buffer.length);
            if (count < 0) {
                return;
            }
            end = count;
        }
    }

    private int trimmedEnd(int from, int lineEnd) {
        int to = lineEnd > from && buffer[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
        for (int i = from; i < to; i++) {
            if (buffer[i] != ' ' && buffer[i] != '\t' && buffer[i] != '\r') {
                return to;
            }
        }
        return from; // blank
    }

    private MalformedMessageException tooLong(int from, int to) {
        return MalformedMessageException.tooLong(
                Arrays.copyOfRange(buffer, from, Math.min(to, from + BEGINNING)), maxLength);
    }
}
