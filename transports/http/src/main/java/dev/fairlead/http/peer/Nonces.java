package dev.fairlead.http.peer;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The nonces of requests that were accepted, for as long as their times are. Thread-safe; does not
 * block.
 */
final class Nonces {
    /** How far the time of a request may be off. */
    static final Duration TOLERANCE = Duration.ofSeconds(30);

    private final int most;
    private final Map<String, Instant> used = new LinkedHashMap<>();

    /**
     * @param most how many are kept; while that many are, no request is accepted
     */
    Nonces(int most) {
        this.most = most;
    }

    /** Returns whether a request of this time is new, and remembers it then. */
    synchronized boolean use(String nonce, Instant at, Instant now) {
        Iterator<Instant> oldest = used.values().iterator();
        while (oldest.hasNext() && oldest.next().isBefore(now)) {
            oldest.remove();
        }
        boolean current = Duration.between(at, now).abs().compareTo(TOLERANCE) <= 0;
        return current
                && used.size() < most
                && used.putIfAbsent(nonce, now.plus(TOLERANCE.multipliedBy(2))) == null;
    }
}
