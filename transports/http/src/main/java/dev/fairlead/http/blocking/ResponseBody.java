package dev.fairlead.http.blocking;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/** The body of a response, which ends the exchange when it was read to its end, or is closed. */
final class ResponseBody extends InputStream {
    private static final int MAX_CHUNK_LINE = 4 * 1024;
    private static final int MAX_TRAILERS = 64;
    private static final Pattern CHUNK_SIZE = Pattern.compile("[0-9a-fA-F]{1,15}");

    private final BlockingExchange exchange;
    private final SocketConnection connection;
    private final boolean isChunked;
    private final boolean isToTheEnd;
    private final Duration kept;

    /** The bytes that are left, of a chunk or of all. */
    private long left;

    private boolean hasChunk;
    private boolean ended;

    ResponseBody(BlockingExchange exchange, SocketConnection connection, ResponseHead head)
            throws IOException {
        this.exchange = exchange;
        this.connection = connection;
        long length = head.length();
        isChunked = length == ResponseHead.CHUNKED;
        isToTheEnd = length == ResponseHead.TO_THE_END;
        kept = head.kept();
        left = isToTheEnd ? Long.MAX_VALUE : Math.max(0, length);
        if (length == 0) {
            end();
        }
    }

    private void end() {
        ended = true;
        exchange.ended(connection.hasMore() ? Duration.ZERO : kept);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        if (!ended && isChunked && left == 0) {
            exchange.requireOpen();
            nextChunk();
        }
        if (ended) {
            return -1;
        }
        exchange.requireOpen();
        int read = connection.read(bytes, from, (int) Math.min(length, left));
        if (read < 0) {
            if (!isToTheEnd) {
                throw new EOFException("the connection has ended within a body");
            }
            end();
            return -1;
        }
        if (!isToTheEnd) {
            left -= read;
        }
        if (left == 0 && !isChunked) {
            end();
        }
        return read;
    }

    private void nextChunk() throws IOException {
        if (hasChunk && !connection.line(2).isEmpty()) {
            throw new ProtocolException("a chunk is longer than its size");
        }
        hasChunk = true;
        String line = connection.line(MAX_CHUNK_LINE);
        int extension = line.indexOf(';');
        String size = (extension < 0 ? line : line.substring(0, extension)).strip();
        if (!CHUNK_SIZE.matcher(size).matches()) {
            throw new ProtocolException("a chunk has no valid size");
        }
        left = Long.parseLong(size, 16);
        if (left > 0) {
            return;
        }
        for (int i = 0; !connection.line(MAX_CHUNK_LINE).isEmpty(); i++) {
            if (i == MAX_TRAILERS) {
                throw new ProtocolException("an answer has more trailers than it may have");
            }
        }
        end();
    }

    /** Ends the exchange; its connection is closed unless all of the body was read. */
    @Override
    public void close() {
        exchange.ended(Duration.ZERO);
    }
}
