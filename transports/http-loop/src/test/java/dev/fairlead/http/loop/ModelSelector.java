package dev.fairlead.http.loop;

import dev.fairlead.test.support.Interleaving;

import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A selector for {@link ModelChannel}s. A changed interest set counts from the next selection on,
 * as with the selector of the system, and a wake-up counts for one. No timeout ever ends a
 * selection.
 */
final class ModelSelector extends AbstractSelector {
    private final Interleaving model;
    private final Set<SelectionKey> keys = new HashSet<>();
    private boolean woken;

    ModelSelector(Interleaving model) {
        super(SelectorProvider.provider());
        this.model = model;
    }

    private static final class Key extends AbstractSelectionKey {
        private final ModelSelector selector;
        private final ModelChannel channel;
        private volatile int interest;
        private int asked; // by the selection under way
        private int ready;

        Key(ModelSelector selector, ModelChannel channel, int interest) {
            this.selector = selector;
            this.channel = channel;
            this.interest = interest;
        }

        int nowReady() {
            return isValid() ? asked & channel.readyOps() : 0;
        }

        @Override
        public SelectableChannel channel() {
            return channel;
        }

        @Override
        public Selector selector() {
            return selector;
        }

        @Override
        public int interestOps() {
            return interest;
        }

        @Override
        public SelectionKey interestOps(int operations) {
            interest = operations;
            return this;
        }

        @Override
        public int readyOps() {
            return ready;
        }
    }

    @Override
    protected SelectionKey register(
            AbstractSelectableChannel channel, int operations, Object attachment) {
        Key key = new Key(this, (ModelChannel) channel, operations);
        key.attach(attachment);
        keys.add(key);
        return key;
    }

    private List<Key> valid() {
        List<Key> valid = new ArrayList<>();
        Set<SelectionKey> cancelled = cancelledKeys();
        keys.removeAll(cancelled);
        cancelled.forEach(key -> deregister((AbstractSelectionKey) key));
        cancelled.clear();
        keys.forEach(key -> valid.add((Key) key));
        return valid;
    }

    private int select(boolean waits, Consumer<SelectionKey> action) {
        model.step();
        List<Key> selected = valid();
        selected.forEach(key -> key.asked = key.interest);
        model.await(
                () -> !waits || woken || selected.stream().anyMatch(key -> key.nowReady() != 0));
        if (model.isOver()) {
            throw new ClosedSelectorException();
        }
        woken = false;
        int count = 0;
        for (Key key : selected) {
            key.ready = key.nowReady();
            if (key.ready != 0) {
                action.accept(key);
                count++;
            }
        }
        model.step();
        return count;
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) {
        return select(true, action);
    }

    @Override
    public int select(Consumer<SelectionKey> action) {
        return select(true, action);
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) {
        return select(false, action);
    }

    /** Called by threads that may hold the lock of an output, so they are not replaced here. */
    @Override
    public Selector wakeup() {
        woken = true;
        return this;
    }

    @Override
    public Set<SelectionKey> keys() {
        return keys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int selectNow() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select(long timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select() {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseSelector() {}
}
