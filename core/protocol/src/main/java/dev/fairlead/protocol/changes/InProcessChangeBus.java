package dev.fairlead.protocol.changes;

import dev.fairlead.protocol.time.LimitedLog;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Carries changes to the listeners of this process, on the thread that publishes. A bus between
 * nodes can keep its own listeners in one: pass changes of other nodes to {@link #publish}, too,
 * and call {@link #changesMissed} when the connection was lost. Thread-safe.
 */
public final class InProcessChangeBus implements ChangeBus {
    private static final System.Logger LOGGER =
            System.getLogger(InProcessChangeBus.class.getName());

    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    /** One registration of a listener, which may have several. */
    private final class Entry implements Registration {
        private final ChangeListener listener;

        Entry(ChangeListener listener) {
            this.listener = listener;
        }

        @Override
        public void close() {
            entries.remove(this);
        }
    }

    @Override
    public Registration listen(ChangeListener listener) {
        Entry entry = new Entry(listener);
        entries.add(entry);
        return entry;
    }

    /** Returns whether there is no listener. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    @Override
    public void publish(Change change) {
        each(listener -> listener.changed(change));
    }

    /** Calls {@link ChangeListener#changesMissed} of all listeners. */
    public void changesMissed() {
        each(ChangeListener::changesMissed);
    }

    private void each(Consumer<ChangeListener> call) {
        for (Entry entry : entries) {
            try {
                call.accept(entry.listener);
            } catch (Throwable e) { // on any failure: the publisher and the others continue
                LimitedLog.failed(LOGGER, Level.WARNING, "", e, "A listener failed on a change");
            }
        }
    }
}
