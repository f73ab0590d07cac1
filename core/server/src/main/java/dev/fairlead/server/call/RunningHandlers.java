package dev.fairlead.server.call;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The handlers of a server that run at the moment, each with its thread. Thread-safe; a handler is
 * added and removed by its own thread.
 */
public final class RunningHandlers {
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

    /**
     * A handler that the current thread is about to run. Two entries are equal only if they are the
     * same.
     */
    public abstract static class Entry {
        final Thread thread = Thread.currentThread();
        final long startNanos = System.nanoTime();

        /** Describes the handler for logs, such as by the method and the name of the tool. */
        abstract String subject();
    }

    private static final class Described extends Entry {
        private final Supplier<String> subject;

        Described(Supplier<String> subject) {
            this.subject = subject;
        }

        @Override
        String subject() {
            return subject.get();
        }
    }

    /** Adds a handler that the current thread is about to run. */
    public Entry add(Supplier<String> subject) {
        return add(new Described(subject));
    }

    /** Adds a handler. */
    public <E extends Entry> E add(E entry) {
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

    /** Returns the entries of a kind. */
    public <E extends Entry> List<E> entries(Class<E> kind) {
        return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
