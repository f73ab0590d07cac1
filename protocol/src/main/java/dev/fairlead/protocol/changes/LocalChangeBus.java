package dev.fairlead.protocol.changes;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Listeners of one process. */
final class LocalChangeBus implements ChangeBus {
    private static final System.Logger LOGGER = System.getLogger(ChangeBus.class.getName());

    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    /** One registration: the same listener may be there twice. */
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

    @Override
    public void publish(Change change) {
        each(listener -> listener.changed(change));
    }

    private void each(Consumer<ChangeListener> call) {
        for (Entry entry : entries) {
            try {
                call.accept(entry.listener);
            } catch (RuntimeException e) {
                LOGGER.log(Level.WARNING, "A listener failed on a change", e);
            }
        }
    }
}
