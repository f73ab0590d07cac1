package dev.fairlead.http.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;

/**
 * The body of a request, which fails when it comes too slowly: a client that sends a byte now and
 * then would keep a place that others need. How far it may fall behind is asked at each read, so
 * that this can become less while the body arrives. Used by one thread.
 */
public final class PacedBody extends ObservedInputStream {
    /** How many bytes a second a body has to have, apart from pauses within the patience. */
    public static final int SLOWEST = 16 << 10;

    private static final long NANOS_PER_BYTE = 1_000_000_000L / SLOWEST;

    private final LongSupplier patience;
    private final LongSupplier nanos;
    private long last;

    /** How much later the body is than one of the slowest rate, in nanoseconds. */
    private long behind;

    /**
     * @param patience how far the body may be behind now, in nanoseconds
     */
    public PacedBody(InputStream body, LongSupplier patience, LongSupplier nanos) {
        super(body);
        this.patience = patience;
        this.nanos = nanos;
        this.last = nanos.getAsLong();
    }

    /** The client sends too slowly. */
    public static final class TooSlowException extends IOException {
        private static final long serialVersionUID = 1;

        private TooSlowException() {
            super("less than " + SLOWEST + " bytes a second came for too long");
        }
    }

    @Override
    protected void onRead(int read) throws TooSlowException {
        if (read < 0) {
            return;
        }
        long now = nanos.getAsLong();
        behind = Math.max(0, behind + (now - last) - read * NANOS_PER_BYTE);
        last = now;
        if (behind > patience.getAsLong()) {
            throw new TooSlowException();
        }
    }
}
