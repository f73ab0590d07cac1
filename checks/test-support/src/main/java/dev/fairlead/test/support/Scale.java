package dev.fairlead.test.support;

import java.util.Random;

/**
 * The extent of a proof: little in every build, all of it with {@code -Dfairlead.proofs=full}.
 * Random values follow from the seed, which {@code -Dfairlead.seed=N} sets.
 */
public final class Scale {
    private static final boolean FULL = "full".equals(System.getProperty("fairlead.proofs"));

    private Scale() {}

    public static int of(int little, int all) {
        return FULL ? all : little;
    }

    public static boolean isFull() {
        return FULL;
    }

    /** Returns the seed of a proof, which is printed so that a failure can be repeated. */
    public static long seed(String proof) {
        long seed =
                Long.getLong("fairlead.seed", FULL ? new Random().nextInt(Integer.MAX_VALUE) : 42);
        System.out.println(proof + ": -Dfairlead.seed=" + seed);
        return seed;
    }
}
