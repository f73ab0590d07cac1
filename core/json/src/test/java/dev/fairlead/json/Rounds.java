package dev.fairlead.json;

import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;

/** Repeats a check with random input for some time. */
final class Rounds {
    private static final long SEED = Long.getLong("fairlead.seed", 20261124);

    private Rounds() {}

    /**
     * Runs a check for this time, or for the seconds in the property {@code fairlead.json.seconds}.
     * The input of a round depends on nothing but its seed, which the error contains.
     */
    static void run(Duration time, Consumer<Random> check) {
        long seconds = Long.getLong("fairlead.json.seconds", time.toSeconds());
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        for (long seed = SEED; System.nanoTime() < end; seed++) {
            try {
                check.accept(new Random(seed));
            } catch (Throwable e) {
                throw new AssertionError("with -Dfairlead.seed=" + seed, e);
            }
        }
    }
}
