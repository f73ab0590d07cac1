package dev.fairlead.console.workbench;

import dev.fairlead.json.JsonObject;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The events that wait for one page. Answers and questions stay; of progress and log lines the
 * oldest are dropped where too many wait. Thread-safe.
 */
final class Outbox {
    private static final int MAX_EVENTS = 1_000;
    private static final long MAX_CHARS = 8L << 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Event> events = new ArrayDeque<>(); // guarded by lock
    private long chars; // of all events; guarded by lock
    private boolean closed; // guarded by lock

    private record Event(String json, boolean isPassing) {}

    /** Adds an event that the page needs. */
    void add(JsonObject event) {
        add(new Event(event.toJson(), false));
    }

    /** Adds an event that may be dropped. */
    void addPassing(JsonObject event) {
        add(new Event(event.toJson(), true));
    }

    private void add(Event event) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            events.add(event);
            chars += event.json.length();
            Iterator<Event> oldest = events.iterator();
            while (isFull() && oldest.hasNext()) {
                Event one = oldest.next();
                if (one.isPassing) {
                    oldest.remove();
                    chars -= one.json.length();
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isFull() {
        return events.size() > MAX_EVENTS || chars > MAX_CHARS;
    }

    /** Returns whether the page has not read enough to be given more answers. */
    boolean isBehind() {
        lock.lock();
        try {
            return events.size() > MAX_EVENTS / 2 || chars > MAX_CHARS / 2;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the next event; an empty text when none came within this time, or it was closed. */
    String take(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (events.isEmpty() && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            Event next = events.poll();
            if (next == null) {
                return "";
            }
            chars -= next.json.length();
            return next.json;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Drops all events, and takes no more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            events.clear();
            chars = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
