package dev.fairlead.jdbc;

import dev.fairlead.protocol.EventLimits;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the events that this process has appended since a session, or the whole space, was last
 * due for a check of its limits. They are due after every eighth of their limits, so they exceed
 * them by at most an eighth for each server; the whole space is also due with the first event,
 * since an earlier process may have counted without requesting a check. Thread-safe; does not
 * block.
 */
final class EventGrowth {
    /** Checks are due after this part of a limit. */
    static final int PART = 8;

    /** How many sessions are counted; a check of the whole space covers all others. */
    static final int MAX_SESSIONS = 10_000;

    /** The size of an event in the whole space beside its bytes. */
    private static final int OVERHEAD = 64;

    private final EventLimits limits;
    private final Map<String, Appended> sessions = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes; // guarded by this, as are the sessions
    private boolean due = true;

    /** The events appended to a session. */
    private static final class Appended {
        long events;
        long bytes;
    }

    EventGrowth(EventLimits limits) {
        this.limits = limits;
    }

    /**
     * Counts an event.
     *
     * @return the sessions that are due for a check and count from 0 again, in the order in which
     *     transactions lock them
     */
    synchronized List<String> add(String session, int size) {
        List<String> checks = new ArrayList<>(0);
        bytes += size + OVERHEAD;
        if (due || bytes > limits.bytes() / PART) {
            checks.add(EventRetention.WHOLE_SPACE);
            bytes = 0;
            due = size > limits.bytes(); // the newest event stays until there is another one
        }
        Appended appended = sessions.computeIfAbsent(session, name -> new Appended());
        appended.events++;
        appended.bytes += size;
        if (appended.events > limits.eventsPerSession() / PART
                || appended.bytes > limits.bytesPerSession() / PART) {
            checks.add(session);
            if (size <= limits.bytesPerSession()) {
                sessions.remove(session);
            }
        } else if (sessions.size() > MAX_SESSIONS) {
            sessions.remove(sessions.keySet().iterator().next());
        }
        return checks;
    }

    /** No more is counted for a session whose events are removed. */
    synchronized void forget(String session) {
        sessions.remove(session);
    }

    /** Returns how many sessions are counted now. */
    synchronized int sessions() {
        return sessions.size();
    }

    /** The checks could not be requested; the next event requests one of the whole space. */
    synchronized void restore(List<String> checks) {
        due |= !checks.isEmpty();
    }
}
