package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Contenders that compete for one prize after the other, each on a thread of its own, all at once.
 */
final class Race<P> {
    private final List<P> prizes;
    private final List<Contender<P>> contenders = new ArrayList<>();

    /** Tries to get a prize and returns whether it did. */
    interface Contender<P> {
        boolean wins(P prize) throws Exception;
    }

    Race(List<P> prizes) {
        this.prizes = prizes;
    }

    Race<P> with(Contender<P> contender) {
        contenders.add(contender);
        return this;
    }

    /** Runs the race; every prize must go to exactly one contender. */
    void hasOneWinnerEach() throws Exception {
        assertEquals(prizes.stream().map(prize -> 1).toList(), winners());
    }

    /** Runs the race and returns how many won each prize. */
    List<Integer> winners() throws Exception {
        AtomicIntegerArray winners = new AtomicIntegerArray(prizes.size());
        Phaser start = new Phaser(contenders.size());
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
            List<Future<?>> running = new ArrayList<>();
            for (Contender<P> contender : contenders) {
                running.add(
                        threads.submit(
                                () -> {
                                    run(contender, start, winners);
                                    return null;
                                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        List<Integer> counted = new ArrayList<>();
        for (int i = 0; i < prizes.size(); i++) {
            counted.add(winners.get(i));
        }
        return counted;
    }

    /** Runs a contender; one that fails leaves the race, so that the others end. */
    private void run(Contender<P> contender, Phaser start, AtomicIntegerArray winners)
            throws Exception {
        try {
            for (int i = 0; i < prizes.size(); i++) {
                start.arriveAndAwaitAdvance();
                if (contender.wins(prizes.get(i))) {
                    winners.incrementAndGet(i);
                }
            }
        } finally {
            start.arriveAndDeregister();
        }
    }
}
