package dev.fairlead.http.client;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The position up to which one stream has been read, over all its connections. For one thread. */
final class StreamPosition {
    static final int LONGEST_ID = 4096;

    /**
     * The number of connections in a row that end at once, after which the server's own wait is too
     * short.
     */
    private static final int QUICK_ENDS = 3;

    private final Reconnection reconnection;
    private final LongSupplier nanoTime;
    private String lastEventId = "";
    private @Nullable Duration retry;
    private int failures;
    private int quickEnds;
    private long nextAttempt;
    private boolean attempted;

    StreamPosition(Reconnection reconnection) {
        this(reconnection, System::nanoTime);
    }

    /**
     * @param nanoTime measures how long connections last
     */
    StreamPosition(Reconnection reconnection, LongSupplier nanoTime) {
        this.reconnection = reconnection;
        this.nanoTime = nanoTime;
    }

    /** An event came, so the connection works. */
    void passed(SseEvent event) {
        lastEventId = event.id();
        failures = 0;
    }

    /** The server ended a connection and asked its client to reconnect, which is not a failure. */
    void sentBack() {
        failures = 0;
    }

    /** The server named a wait; it holds until it names another one. */
    void retryAfter(Duration wait) {
        retry = wait;
    }

    /**
     * The id to resume after; empty where the stream named none, or one that does not fit into a
     * header.
     */
    Optional<String> lastEventId() {
        boolean usable =
                !lastEventId.isEmpty()
                        && lastEventId.length() <= LONGEST_ID
                        && lastEventId.equals(lastEventId.strip())
                        && lastEventId.chars().allMatch(c -> c >= ' ' && c <= '~');
        return usable ? Optional.of(lastEventId) : Optional.empty();
    }

    /**
     * Starts from the beginning: the server no longer keeps the stream, or its position is
     * unusable.
     */
    void forget() {
        lastEventId = "";
    }

    /** Returns whether the attempts in a row that failed are as many as may fail. */
    boolean isExhausted() {
        return failures >= reconnection.attempts();
    }

    /**
     * Returns how long to wait before the next attempt, which counts as failed until an event
     * comes: exactly as the server asked, longer only after failures, or when connections end at
     * once again and again.
     */
    Duration nextDelay() {
        long now = nanoTime.getAsLong();
        long lasted = now - nextAttempt;
        quickEnds = attempted && lasted < reconnection.firstDelay().toNanos() ? quickEnds + 1 : 0;
        Duration delay = backOff();
        Duration least = quickEnds < QUICK_ENDS ? Duration.ZERO : reconnection.firstDelay();
        delay = delay.compareTo(least) < 0 ? least : delay;
        attempted = true;
        nextAttempt = now + delay.toNanos();
        return delay;
    }

    private Duration backOff() {
        Duration backOff = reconnection.delayAfter(failures);
        boolean first = failures++ == 0;
        if (retry == null) {
            return backOff;
        }
        return first || retry.compareTo(backOff) > 0 ? retry : backOff;
    }
}
