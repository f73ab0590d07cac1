package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.changes.Change;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.changes.ChangeListener;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.time.Durations;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The contract of every {@link ChangeBus}. Extend this class, implement the methods that make a bus
 * and the bus of another node (the same one, where there is one node only), and run it with JUnit 5
 * or 6.
 */
@Timeout(300)
public abstract class ChangeBusContract {
    private static final Change TOOLS = new Change.OfList(ListKind.TOOLS);

    private final List<ChangeBus.Registration> registrations = new ArrayList<>();

    /** The time for which the contract waits for changes. */
    Duration patience = Duration.ofSeconds(60);

    @SuppressWarnings("NullAway.Init") // JUnit calls openBus first
    private ChangeBus bus;

    /** Returns a bus without listeners. */
    protected abstract ChangeBus newBus() throws Exception;

    /** Returns the bus of another node than the one that was made last, of the same server. */
    protected abstract ChangeBus furtherNode() throws Exception;

    @BeforeEach
    final void openBus() throws Exception {
        bus = newBus();
    }

    @AfterEach
    final void closeListeners() {
        registrations.forEach(ChangeBus.Registration::close);
    }

    /**
     * Records the changes that it receives; a report that changes were missed stands for any
     * change.
     */
    private final class RecordingListener implements ChangeListener {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition received = lock.newCondition();
        private final Set<Change> changes = new HashSet<>();
        private boolean missed;
        private boolean failing;

        @Override
        public void changed(Change change) {
            lock.lock();
            try {
                changes.add(change);
                received.signalAll();
                if (failing) {
                    throw new IllegalStateException("on purpose");
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void changesMissed() {
            lock.lock();
            try {
                missed = true;
                received.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void fail() {
            lock.lock();
            failing = true;
            lock.unlock();
        }

        void forget() {
            lock.lock();
            changes.clear();
            missed = false;
            lock.unlock();
        }

        boolean hasReceived(Change change) {
            lock.lock();
            try {
                return changes.contains(change);
            } finally {
                lock.unlock();
            }
        }

        private String missing(List<Change> all) {
            List<Change> missing = new ArrayList<>(all);
            missing.removeAll(changes);
            return "%s of %s changes not received within %s, first %s"
                    .formatted(
                            missing.size(),
                            all.size(),
                            Durations.text(patience),
                            missing.getFirst());
        }

        void await(List<Change> all) throws InterruptedException {
            lock.lock();
            try {
                long left = patience.toNanos();
                while (!missed && !changes.containsAll(all)) {
                    left = received.awaitNanos(left);
                    assertTrue(left > 0, () -> missing(all));
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private RecordingListener listen(ChangeBus on) {
        RecordingListener listener = new RecordingListener();
        registrations.add(on.listen(listener));
        return listener;
    }

    private static List<Change> changes(int count) {
        List<Change> changes = new ArrayList<>();
        for (ListKind kind : ListKind.values()) {
            changes.add(new Change.OfList(kind));
        }
        for (int i = 0; i < count; i++) {
            changes.add(new Change.OfResource("docs://" + i));
        }
        return changes;
    }

    @Test
    void everyListenerReceivesEveryChange() throws Exception {
        RecordingListener first = listen(bus);
        RecordingListener second = listen(bus);

        changes(500).forEach(bus::publish);

        first.await(changes(500));
        second.await(changes(500));
    }

    @Test
    void thisProcessReceivesAtOnce() {
        RecordingListener listener = listen(bus);

        bus.publish(TOOLS);

        assertTrue(listener.hasReceived(TOOLS));
    }

    @Test
    void aChangeIsCarriedEachTime() throws Exception {
        RecordingListener near = listen(bus);
        RecordingListener far = listen(furtherNode());
        for (int i = 0; i < 3; i++) {
            near.forget();
            far.forget();
            bus.publish(TOOLS);
            near.await(List.of(TOOLS));
            far.await(List.of(TOOLS));
        }
    }

    @Test
    void urisOfAnyKindAreCarried() throws Exception {
        RecordingListener listener = listen(furtherNode());
        RecordingListener near = listen(bus);
        near.forget();
        List<Change> changes = new ArrayList<>();
        for (String text : TaskStoreTests.HOSTILE_TEXTS) {
            changes.add(new Change.OfResource(text));
        }

        changes.forEach(bus::publish);

        listener.await(changes);
        near.await(changes);
    }

    @Test
    void whatOneNodePublishesTheOtherReceives() throws Exception {
        RecordingListener near = listen(bus);
        ChangeBus further = furtherNode();
        RecordingListener far = listen(further);

        changes(200).forEach(bus::publish);
        far.await(changes(200));
        near.await(changes(200));
        near.forget();
        Change back = new Change.OfResource("docs://from-there");
        further.publish(back);

        near.await(List.of(back));
    }

    @Test
    void aListenerThatThrowsDisturbsNoOther() throws Exception {
        listen(bus).fail();
        RecordingListener near = listen(bus);
        RecordingListener far = listen(furtherNode());

        for (Change change : changes(3)) {
            bus.publish(change);
        }

        near.await(changes(3));
        far.await(changes(3));
    }

    @Test
    void aClosedRegistrationReceivesNothing() throws Exception {
        RecordingListener gone = new RecordingListener();
        ChangeBus.Registration registration = bus.listen(gone);
        RecordingListener staying = listen(bus);
        registration.close();
        registration.close();

        bus.publish(TOOLS);

        staying.await(List.of(TOOLS));
        assertEquals(false, gone.hasReceived(TOOLS));
    }

    @Test
    void aBusWithoutListenersTakesChangesAndListenersAgain() throws Exception {
        bus.listen(new RecordingListener()).close();
        bus.publish(TOOLS);
        RecordingListener listener = listen(bus);

        bus.publish(TOOLS);

        listener.await(List.of(TOOLS));
    }

    @Test
    void anInterruptIsKept() throws Exception {
        RecordingListener listener = listen(bus);
        FutureTask<Boolean> interrupted =
                new FutureTask<>(
                        () -> {
                            Thread.currentThread().interrupt();
                            changes(10).forEach(bus::publish);
                            return Thread.interrupted();
                        });

        Thread.ofVirtual().name("contract-interrupted").start(interrupted);

        assertTrue(interrupted.get(60, TimeUnit.SECONDS));
        listener.await(changes(10));
    }
}
