package dev.fairlead.protocol.relay;

import dev.fairlead.test.support.Interleaving;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Readers, requests and the thread of a watchdog, of which chance decides after each step which one
 * continues. However they meet, each request is handled once, by one reader at a time, and a
 * watchdog that falls asleep misses no handler that blocks.
 */
@Timeout(600)
class RelayModelTest {
    private static final boolean FULL = "full".equals(System.getProperty("fairlead.proofs"));
    private static final int SEEDS = FULL ? 200_000 : 4_000;
    private static final long FIRST = Long.getLong("fairlead.seed", 0);

    @Test
    void aBlockedReaderIsReplacedHoweverTheThreadsMeet() throws Exception {
        long steps = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Model model = new Model(seed);
            try {
                model.run();
            } catch (AssertionError e) {
                throw new AssertionError("with -Dfairlead.seed=" + seed, e);
            }
            steps += model.threads.steps();
        }
        System.out.println("model of the relay: " + SEEDS + " seeds, " + steps + " steps");
    }

    private static final class Model extends Watchdog.Parking {
        private final Interleaving threads;
        private final Watchdog watchdog;
        private final List<Reading> readings = new ArrayList<>();
        private boolean permit;
        private boolean parked;

        Model(long seed) {
            threads = new Interleaving(seed, () -> this);
            watchdog = new Watchdog(this, 2, new Relays());
        }

        void run() throws InterruptedException {
            int count = 1 + threads.choose(2);
            for (int i = 0; i < count; i++) {
                readings.add(new Reading());
            }
            threads.run();
        }

        @Override
        public String toString() {
            return (parked ? "the watchdog sleeps, " : "") + readings;
        }

        /** The relays that the watchdog looks at. */
        private final class Relays extends CopyOnWriteArrayList<Relay> {
            private static final long serialVersionUID = 1;

            @Override
            public Iterator<Relay> iterator() {
                threads.step();
                Iterator<Relay> relays = super.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        threads.step();
                        return relays.hasNext();
                    }

                    @Override
                    public Relay next() {
                        return relays.next();
                    }
                };
            }

            @Override
            public Stream<Relay> stream() {
                threads.step();
                return super.stream();
            }
        }

        // The thread of the watchdog.

        @Override
        Thread thread(Runnable watching) {
            return threads.background(watching);
        }

        @Override
        void pause(Object blocker, Duration time) {
            await(() -> true);
        }

        @Override
        void park(Object blocker) {
            parked = true;
            await(() -> permit);
            parked = false;
            permit = false;
        }

        private void await(BooleanSupplier condition) {
            threads.await(condition);
            if (threads.isOver()) {
                throw new IllegalStateException("the model is over");
            }
        }

        /** Called with the lock of the watchdog, so the thread is not replaced here. */
        @Override
        void unpark(Thread thread) {
            permit = true;
        }

        /** A relay, its readers, and who sends requests. */
        private final class Reading {
            private final Queue<Runnable> requests = new ArrayDeque<>();
            private final Relay relay = new Relay("model", this::thread, watchdog, this::read);
            private boolean reads;
            private boolean ended;
            private int handled;

            Reading() {
                relay.start();
                threads.thread(this::send).start();
            }

            /** A handler may end between the decision to replace its thread and that. */
            private Thread thread(Runnable task) {
                threads.step();
                return threads.thread(task);
            }

            private void send() {
                int count = 1 + threads.choose(5);
                for (int i = 0; i < count; i++) {
                    if (threads.choose(3) == 0) {
                        threads.await(() -> parked);
                    }
                    int pause = threads.choose(8); // the watchdog falls asleep meanwhile, or not
                    for (int steps = 0; steps < pause; steps++) {
                        threads.step();
                    }
                    requests.add(this::handle);
                    threads.step();
                }
                threads.await(() -> handled == count);
                ended = true;
            }

            private void read() {
                while (relay.isReader()) {
                    threads.check(!reads, "two threads read");
                    reads = true;
                    threads.await(() -> ended || !requests.isEmpty());
                    reads = false;
                    Runnable request = requests.poll();
                    if (request == null) {
                        relay.stop();
                        return;
                    }
                    relay.run("handler", request);
                }
            }

            private void handle() {
                long before = watchdog.replacements();
                switch (threads.choose(4)) {
                    case 0 -> {}
                    case 1 -> threads.step();
                    default ->
                            threads.await(
                                    () -> !relay.isBusy() && watchdog.replacements() > before);
                }
                handled++;
            }

            @Override
            public String toString() {
                return "%s handled, %s waiting%s%s"
                        .formatted(
                                handled,
                                requests.size(),
                                reads ? ", reads" : "",
                                relay.isBusy() ? ", busy" : "");
            }
        }
    }
}
