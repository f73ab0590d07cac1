package dev.fairlead.http.endpoint;

import dev.fairlead.http.spi.BodyTooLongException;
import dev.fairlead.http.spi.HttpExchange;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** Reads the body of a request, which is bounded before it is anything else. */
final class RequestBody {
    /** The most bytes of a body that is little in any case. */
    static final int SMALL = 64 << 10;

    /**
     * How much of a body that is too large is read and thrown away, so that a client that sends
     * before it listens gets its answer.
     */
    private static final long DRAINED = 256L << 20;

    private RequestBody() {}

    /**
     * The body; empty if it is larger than the limit.
     *
     * @param share counts the bytes that are read
     * @throws BodyBudget.ExhaustedException if the share cannot take all
     * @throws IOException if the client broke off
     */
    static Optional<byte[]> read(
            HttpExchange exchange, InputStream body, int limit, BodyBudget.Share share)
            throws IOException {
        byte[] arrived = exchange.arrivedBody();
        if (arrived != null && arrived.length <= Math.min(limit, SMALL)) {
            share.take(arrived.length);
            return Optional.of(arrived);
        }
        long length = exchange.contentLength();
        if (length > limit) {
            skip(exchange, body, length);
            return Optional.empty();
        }
        if (isSmall(exchange)) {
            share.take((int) length);
            byte[] bytes = new byte[(int) length];
            int read = body.readNBytes(bytes, 0, bytes.length);
            return Optional.of(read == length ? bytes : Arrays.copyOf(bytes, read));
        }
        byte[] bytes;
        try {
            bytes =
                    share.counting(body, limit)
                            .readNBytes(limit == Integer.MAX_VALUE ? limit : limit + 1);
        } catch (BodyTooLongException e) {
            share.release();
            drainUnlessSilent(body, e.announced());
            return Optional.empty();
        }
        if (bytes.length > limit) {
            share.release();
            drain(body);
            return Optional.empty();
        }
        return Optional.of(bytes);
    }

    /** Whether a body announces that it is small. */
    private static boolean isSmall(HttpExchange exchange) {
        long length = exchange.contentLength();
        return length >= 0 && length <= SMALL;
    }

    /** Skips the whole, unless the client waits for leave to send it, or it is boundless. */
    private static void skip(HttpExchange exchange, InputStream body, long length)
            throws IOException {
        boolean waits = exchange.header("Expect").isPresent();
        if (!waits && length <= DRAINED) {
            drain(body);
        }
    }

    /** Skips the rest of a body that is too long: the client gets its answer anyway. */
    private static void drainUnlessSilent(InputStream body, long announced) {
        if (announced <= DRAINED) {
            try {
                drain(body);
            } catch (IOException e) {
                // the client has paused, or is gone
            }
        }
    }

    /** Skips the rest of a body that has begun. */
    static void drain(InputStream body) throws IOException {
        byte[] waste = new byte[SMALL];
        long left = DRAINED;
        for (int read = body.read(waste); read >= 0 && left > 0; read = body.read(waste)) {
            left -= read;
        }
    }
}
