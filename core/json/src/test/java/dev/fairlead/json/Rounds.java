package dev.fairlead.json;

import java.util.Random;
import java.util.function.Consumer;

/** Repeats a check with random input. */
final class Rounds {
    private static final long SEED = Long.getLong("fairlead.seed", 20261124);

    private Rounds() {}

    /**
     * Runs a check so many times, or as often as the property {@code fairlead.json.rounds} says.
     * The input of a round depends on nothing but its seed, which the error contains.
     */
    static void run(int count, Consumer<Random> check) {
        long end = SEED + Long.getLong("fairlead.json.rounds", count);
        for (long seed = SEED; seed < end; seed++) {
            try {
                check.accept(new Random(seed));
            } catch (Throwable e) {
                throw new AssertionError("with -Dfairlead.seed=" + seed, e);
            }
        }
    }
}
