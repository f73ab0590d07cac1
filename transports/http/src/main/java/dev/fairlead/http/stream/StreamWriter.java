package dev.fairlead.http.stream;

import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.http.stream.EventStream.Batch;
import dev.fairlead.http.stream.EventStream.Then;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Writes the events of one stream to one connection: a single writer, which no other thread waits
 * for.
 *
 * <p>The thread that wakes it while it is idle writes, until the engine does not complete a write
 * at once; then the completion continues. So exactly one thread at a time runs {@link #run}, and
 * the lock guards only which thread that is.
 */
public final class StreamWriter {
    private static final System.Logger LOGGER = System.getLogger(StreamWriter.class.getName());
    private static final int CHUNK = 64 << 10;

    /** Time from one check to the next whether the client of a request is still connected. */
    private static final Duration PROBE = Duration.ofSeconds(5);

    /** Time between the two comments of a check. */
    private static final Duration BETWEEN = Duration.ofMillis(200);

    private final EventStream events;
    private final ResponseStream response;
    private final Duration retry;
    private final InstantSource clock;
    private final @Nullable Probes probes; // null: the client may leave and come back
    private final BiConsumer<StreamWriter, List<OutgoingEvent>> onGone;
    private final Object lock = new Object();
    private Turn turn = Turn.IDLE;

    private boolean heartbeatDue;

    private @Nullable Farewell farewell;

    /** The time of the last write; at first, that of the connection. */
    private Instant lastWrite;

    /**
     * The time of the last check of the client, or one far enough back for a check in the next
     * round.
     */
    private Instant lastProbe;

    private boolean begun;

    /** The rest of an event too large for one write; only the running thread uses it. */
    private @Nullable ByteBuffer rest;

    private Then then = Then.WAIT;

    /** Whether a thread writes. */
    private enum Turn {
        IDLE,
        WRITING,
        /** A thread writes, and there may be more events since it looked last. */
        WOKEN,
        CLOSED
    }

    /** The last that is written before the connection ends, although the stream continues. */
    private record Farewell(List<OutgoingEvent> events, Duration retry) {}

    /**
     * Means to detect that a client has left.
     *
     * @param timers run the second comment of a check
     * @param threads run the writers
     */
    public record Probes(Timers timers, Executor threads) {}

    /**
     * @param retry the retry time in a priming event
     * @param clock for the time of the last write
     * @param probes check regularly whether the client has left; null if it may come back
     * @param onGone called once when the connection has ended or failed, with the lost events
     */
    public StreamWriter(
            EventStream events,
            ResponseStream response,
            Duration retry,
            InstantSource clock,
            @Nullable Probes probes,
            BiConsumer<StreamWriter, List<OutgoingEvent>> onGone) {
        this.events = events;
        this.response = response;
        this.retry = retry;
        this.clock = clock;
        this.probes = probes;
        this.lastWrite = clock.instant();
        this.lastProbe = lastWrite.minus(PROBE);
        this.onGone = onGone;
    }

    /** Writes if there are events, on this or another thread. */
    public void wake() {
        synchronized (lock) {
            Turn before = turn;
            turn = before == Turn.CLOSED ? before : Turn.WOKEN;
            if (before != Turn.IDLE) {
                return;
            }
        }
        run();
    }

    /** Sees to it that the head of the response goes out although there may be no event yet. */
    public void greet() {
        synchronized (lock) {
            heartbeatDue |= !begun;
        }
        wake();
    }

    /**
     * Writes a comment if nothing was written since the given time; on a thread of its own, since
     * the stream may be waiting for its store.
     */
    public void beat(Instant since) {
        if (isToBeat(since)) {
            StreamWriters.startThread(this::wake);
        }
    }

    /**
     * Writes a comment if nothing was written for so long. Where the leaving of the client is to be
     * noticed, writes two comments every 5 s, also between events: over HTTP/1.1 only the second
     * write after the client has left fails.
     */
    void beat(Duration silence) {
        if (probes == null) {
            beat(clock.instant().minus(silence));
        } else if (isToProbe(silence.compareTo(PROBE) < 0 ? silence : PROBE)) {
            probes.threads().execute(this::wake);
            probes.timers().schedule(BETWEEN, () -> probeAgain(probes));
        }
    }

    private boolean isToProbe(Duration interval) {
        Instant now = clock.instant();
        synchronized (lock) {
            Duration early = interval.dividedBy(10); // else a round that is early skips a check
            if (turn != Turn.IDLE || lastProbe.plus(interval).minus(early).isAfter(now)) {
                return false;
            }
            lastProbe = now;
            heartbeatDue = true;
            return true;
        }
    }

    private void probeAgain(Probes through) {
        if (isToBeat(Instant.MAX)) {
            through.threads().execute(this::wake);
        }
    }

    private boolean isToBeat(Instant since) {
        synchronized (lock) {
            if (turn != Turn.IDLE || !lastWrite.isBefore(since)) {
                return false;
            }
            heartbeatDue = true;
            return true;
        }
    }

    /** Ends the connection after some last events; the client reconnects after a while. */
    public void finish(List<OutgoingEvent> last, Duration retryAfter) {
        synchronized (lock) {
            farewell = new Farewell(last, retryAfter);
        }
        wake();
    }

    /** Returns whether the connection ends once all that there is was written. */
    public boolean isEnding() {
        return events.isEnded();
    }

    /** Drops the connection. */
    public void abort() {
        if (close()) {
            try {
                reportGone();
            } finally {
                response.abort();
            }
        }
    }

    private boolean close() {
        synchronized (lock) {
            if (turn == Turn.CLOSED) {
                return false;
            }
            turn = Turn.CLOSED;
        }
        return true;
    }

    private void reportGone() {
        List<OutgoingEvent> unwritten = List.of();
        try {
            unwritten = events.detach(this);
        } finally {
            onGone.accept(this, unwritten);
        }
    }

    private void run() {
        try {
            writeAll();
        } catch (RuntimeException | Error e) { // of the store or the engine
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.ERROR, "", e, "A stream could not be written");
            abort();
        }
    }

    private void writeAll() {
        for (ByteBuffer next = next(); next != null; next = next()) {
            Written written = new Written();
            response.write(next, written);
            if (!written.atOnce()) {
                return; // the completion continues
            }
            if (written.failure != null) {
                abort();
                return;
            }
        }
    }

    /** Detects which comes first: the return of {@code write}, or its completion. */
    private final class Written implements ResponseStream.Completion {
        private final AtomicBoolean first = new AtomicBoolean();
        private @Nullable Throwable failure;

        @Override
        public void done(@Nullable Throwable cause) {
            failure = cause;
            if (first.compareAndSet(false, true)) {
                return;
            }
            if (cause == null) {
                run();
            } else {
                abort();
            }
        }

        public boolean atOnce() {
            return !first.compareAndSet(false, true);
        }
    }

    /** The next bytes to write; null if this thread has nothing more to do. */
    private @Nullable ByteBuffer next() {
        if (rest != null && rest.hasRemaining()) {
            return slice(rest);
        }
        rest = null;
        while (mayContinue()) {
            ByteBuffer bytes =
                    switch (then) {
                        case END -> ended(true);
                        case ABORT -> ended(false);
                        case WAIT, CONTINUE -> collect();
                    };
            if (bytes != null) {
                return bytes;
            }
        }
        return null;
    }

    /** Decides under the lock whether the running thread may stop, so that no wake-up is lost. */
    private boolean mayContinue() {
        synchronized (lock) {
            if (turn == Turn.WRITING && then == Then.WAIT) {
                turn = Turn.IDLE;
            } else if (turn == Turn.WOKEN) {
                turn = Turn.WRITING;
            }
            return turn == Turn.WRITING;
        }
    }

    private @Nullable ByteBuffer ended(boolean properly) {
        if (!properly) {
            abort();
        } else if (close()) {
            try {
                response.end();
            } finally {
                reportGone();
            }
        }
        return null;
    }

    private @Nullable ByteBuffer collect() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        Farewell last;
        boolean beat;
        synchronized (lock) {
            last = farewell;
            beat = heartbeatDue;
            heartbeatDue = false;
        }
        if (last != null) {
            last.events().forEach(event -> event.writeTo(out, retry));
            sendBack(out, last.retry());
        } else {
            Batch batch = events.take(this, CHUNK);
            batch.events().forEach(event -> event.writeTo(out, retry));
            then = batch.then();
            if (out.size() == 0 && beat) {
                out.writeBytes(OutgoingEvent.HEARTBEAT);
            }
        }
        return out.size() == 0 ? null : slice(ByteBuffer.wrap(out.toByteArray()));
    }

    /** The last of a connection to whose stream the client reconnects after a while. */
    private void sendBack(ByteArrayOutputStream out, Duration after) {
        out.writeBytes(OutgoingEvent.retryField(after));
        out.write('\n');
        then = Then.END;
    }

    private ByteBuffer slice(ByteBuffer bytes) {
        synchronized (lock) {
            lastWrite = clock.instant();
            begun = true;
        }
        int size = Math.min(bytes.remaining(), CHUNK);
        ByteBuffer slice = bytes.slice(bytes.position(), size);
        bytes.position(bytes.position() + size);
        rest = bytes;
        return slice;
    }
}
