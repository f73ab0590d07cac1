package dev.fairlead.http.client;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads an event stream as the HTML standard defines it. For one thread.
 *
 * <p>Lines are cut in the bytes, where CR and LF cannot be part of another character, so it does
 * not matter how the network cuts the stream. A line that ends with CR counts at once: whether LF
 * follows is seen with the next byte, since to wait for that byte would hold back the event.
 *
 * @spec https://html.spec.whatwg.org/multipage/server-sent-events.html Server-sent events
 */
final class SseReader {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final int FIRST_BUFFER = 1024;
    private static final int BUFFER = 8 * 1024;
    private static final int KEPT_CAPACITY = 64 * 1024;
    private static final int LONGEST_FIELD_NAME = 16;

    /** The most bytes that are kept of a line without data: with them an id is too long. */
    private static final int LONGEST_OTHER = 2 * StreamPosition.LONGEST_ID;

    private static final byte[] DATA = {'d', 'a', 't', 'a'};

    private final InputStream in;
    private final int maxSize;
    private byte[] buffer = new byte[FIRST_BUFFER]; // most streams wait for hours
    private int position;
    private int limit;
    private boolean lineFeedMayFollow;
    private boolean atStart = true;

    /** The part of the present line that came with earlier buffers. */
    private Bytes line = new Bytes();

    private long lineLength; // of that part; line has less of one that is long and no data

    private Bytes data = new Bytes();
    private boolean hasData;

    /** A longer wait is ignored. */
    static final Duration LONGEST_RETRY = Duration.ofDays(1);

    private boolean hasId;
    private String type = "";
    private String id = "";
    private @Nullable Duration retry;

    /**
     * A reader at the start of a stream.
     *
     * @param maxSize the most bytes that one event may carry
     */
    SseReader(InputStream in, int maxSize) {
        this.in = in;
        this.maxSize = maxSize;
    }

    /**
     * Waits for the next event.
     *
     * @return null at the end of the stream; an event that the end cuts off is dropped
     * @throws TooLargeException if an event or a line exceeds the bound
     * @throws IOException if the connection is lost
     */
    @Nullable SseEvent next() throws IOException {
        while (position < limit || fill()) {
            SseEvent event = readLine();
            if (event != null) {
                return event;
            }
        }
        return null;
    }

    /**
     * Returns how long to wait before a reconnect, as the stream last set it; empty where it did
     * not.
     */
    Optional<Duration> retry() {
        return Optional.ofNullable(retry);
    }

    private boolean fill() throws IOException {
        if (limit == buffer.length && limit < BUFFER) { // more came than had a place
            buffer = new byte[BUFFER];
        }
        position = 0;
        limit = Math.max(0, in.read(buffer));
        return limit > 0;
    }

    /** Reads the rest of a line, as far as the buffer contains it. */
    private @Nullable SseEvent readLine() throws TooLargeException {
        if (lineFeedMayFollow) {
            lineFeedMayFollow = false;
            if (buffer[position] == '\n') {
                position++;
                return null;
            }
        }
        int start = position;
        int end = start;
        while (end < limit && buffer[end] != '\r' && buffer[end] != '\n') {
            end++;
        }
        lineLength += end - start;
        if (lineLength > (long) maxSize + LONGEST_FIELD_NAME) {
            throw new TooLargeException(maxSize);
        }
        if (end == limit) {
            keep(start, end);
            position = limit;
            return null;
        }
        lineLength = 0;
        lineFeedMayFollow = buffer[end] == '\r';
        position = end + 1;
        if (line.size() == 0) {
            return line(buffer, start, end);
        }
        keep(start, end);
        SseEvent event = line(line.array(), 0, line.size());
        line = line.emptied();
        return event;
    }

    /** Adds to the present line; one that is neither data nor the first is cut. */
    private void keep(int start, int end) {
        line.write(buffer, start, end - start);
        boolean isData =
                line.size() >= DATA.length
                        && Arrays.equals(line.array(), 0, DATA.length, DATA, 0, DATA.length);
        if (!isData && !atStart) {
            line.cut(LONGEST_OTHER);
        }
    }

    private @Nullable SseEvent line(byte[] bytes, int from, int to) throws TooLargeException {
        int start = from;
        if (atStart) {
            atStart = false;
            int mark = BYTE_ORDER_MARK.length;
            if (to - from >= mark
                    && Arrays.equals(bytes, from, from + mark, BYTE_ORDER_MARK, 0, mark)) {
                start += mark;
            }
        }
        if (start == to) {
            return dispatch();
        }
        int colon = start;
        while (colon < to && bytes[colon] != ':') {
            colon++;
        }
        if (colon - start <= LONGEST_FIELD_NAME) { // no known field has a longer name
            int value = Math.min(to, colon + 1);
            if (value < to && bytes[value] == ' ') {
                value++;
            }
            field(text(bytes, start, colon), bytes, value, to);
        }
        return null;
    }

    private void field(String name, byte[] bytes, int from, int to) throws TooLargeException {
        switch (name) {
            case "data" -> {
                if (hasData) {
                    data.write('\n');
                }
                hasData = true;
                data.write(bytes, from, to - from);
                if (data.size() > maxSize) {
                    throw new TooLargeException(maxSize);
                }
            }
            case "event" ->
                    type = text(bytes, from, Math.min(to, from + StreamPosition.LONGEST_ID));
            case "id" -> {
                boolean isTooLong = to - from > StreamPosition.LONGEST_ID;
                String value = isTooLong ? "" : text(bytes, from, to); // no stream resumes after it
                if (value.indexOf('\0') < 0) {
                    id = value;
                    hasId = true;
                }
            }
            case "retry" -> milliseconds(text(bytes, from, to)).ifPresent(wait -> retry = wait);
            default -> {} // a comment has no name
        }
    }

    private static Optional<Duration> milliseconds(String text) {
        return Optional.of(text)
                .filter(digits -> digits.matches("[0-9]{1,18}")) // which fit into a long
                .map(digits -> Duration.ofMillis(Long.parseLong(digits)))
                .filter(wait -> wait.compareTo(LONGEST_RETRY) <= 0);
    }

    /** A blank line ends the event. */
    private @Nullable SseEvent dispatch() {
        SseEvent event =
                hasData || hasId
                        ? new SseEvent(type.isEmpty() ? "message" : type, id, data.toByteArray())
                        : null;
        data = data.emptied();
        hasData = false;
        hasId = false;
        type = "";
        return event;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /** Bytes that can be read without a copy, and whose room is given back after a large event. */
    private static final class Bytes extends ByteArrayOutputStream {
        byte[] array() {
            return buf;
        }

        void cut(int size) {
            count = Math.min(count, size);
        }

        Bytes emptied() {
            if (buf.length > KEPT_CAPACITY) {
                return new Bytes();
            }
            reset();
            return this;
        }
    }
}
