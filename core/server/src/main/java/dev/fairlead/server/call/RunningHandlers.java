package dev.fairlead.server.call;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The handlers of a server that run at the moment, each with its thread. Thread-safe; a handler is
 * added and removed by its own thread.
 */
public final class RunningHandlers {
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

    /** A handler that runs. Two entries are equal only if they are the same. */
    public static final class Entry {
        final Supplier<String> subject; // such as the method and the name of the tool
        final Thread thread = Thread.currentThread();
        final long startNanos = System.nanoTime();

        private Entry(Supplier<String> subject) {
            this.subject = subject;
        }
    }

    /** Adds a handler that the current thread is about to run. */
    public Entry add(Supplier<String> subject) {
        Entry entry = new Entry(subject);
        entries.add(entry);
        return entry;
    }

    public void remove(Entry entry) {
        entries.remove(entry);
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    Collection<Entry> entries() {
        return entries;
    }
}
