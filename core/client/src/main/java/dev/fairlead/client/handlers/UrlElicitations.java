package dev.fairlead.client.handlers;

import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.time.Monitor;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which pages the person has consented to visit, and which of those visits the server has reported
 * complete.
 *
 * <p>A report can overtake the consent that it belongs to, since notifications and answers take
 * different ways. So the last few unknown ids are kept, without any effect until a consent claims
 * one. Everything is bounded; the oldest goes first.
 */
public final class UrlElicitations {
    private static final int LIMIT = 1_000;
    private static final int EARLY_LIMIT = 100;

    /** A report with a longer id is not kept, if its page is not known. */
    private static final int MAX_ID = 1_024;

    private final Mailbox<String> listener;
    private final Monitor monitor;

    // guarded by monitor
    private final Map<String, Boolean> completedByOpenId = bounded(LIMIT);
    private final Map<String, Boolean> early = bounded(EARLY_LIMIT);
    private final Map<String, Integer> expected = new HashMap<>(); // by how many callers
    private boolean closed;

    /**
     * @param maxBytes the most bytes of ids that wait for the listener
     */
    public UrlElicitations(
            Mailbox.@Nullable Listener<String> listener, long maxBytes, Timers timers) {
        this.listener = new Mailbox<>("elicitations", LIMIT, maxBytes, HeapSize::of, listener);
        this.monitor = new Monitor(timers);
    }

    private static Map<String, Boolean> bounded(int limit) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > limit;
            }
        };
    }

    /** The person consented to the visit; too long an id is not kept. */
    public void open(String id) {
        if (id.length() > MAX_ID) {
            return;
        }
        monitor.change(
                () -> {
                    boolean completed = early.remove(id) != null;
                    if (completedByOpenId.putIfAbsent(id, completed) == null && completed) {
                        listener.put(id);
                    }
                });
    }

    /** The server reports a visit complete. */
    public void completed(String id) {
        monitor.change(
                () -> {
                    Boolean before = completedByOpenId.get(id);
                    if (before == null) {
                        if (id.length() <= MAX_ID) {
                            early.put(id, true);
                        }
                    } else if (!before) {
                        completedByOpenId.put(id, true);
                        listener.put(id);
                    }
                });
    }

    /**
     * Keeps the reports of these visits until {@link #expectNoMore}: other callers may wait for the
     * same pages, and are done before this one has shown them.
     */
    public void expect(Collection<String> ids) {
        monitor.change(() -> ids.forEach(id -> expected.merge(id, 1, Integer::sum)));
    }

    /** Forgets the visits that no other caller expects. */
    public void expectNoMore(Collection<String> ids) {
        monitor.change(() -> ids.forEach(this::expectNoMore));
    }

    private void expectNoMore(String id) {
        if (expected.computeIfPresent(id, (key, many) -> many == 1 ? null : many - 1) == null) {
            completedByOpenId.remove(id);
        }
    }

    /** Waits until all these visits are complete. Returns false if the time was not enough. */
    public boolean await(Collection<String> ids, Duration wait) throws InterruptedException {
        monitor.await(() -> closed || allComplete(ids), wait);
        return monitor.read(() -> allComplete(ids));
    }

    private boolean allComplete(Collection<String> ids) {
        return ids.stream().allMatch(id -> Boolean.TRUE.equals(completedByOpenId.get(id)));
    }

    public void close() {
        monitor.change(() -> closed = true);
        listener.close();
    }
}
