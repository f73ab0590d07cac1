package dev.fairlead.benchmarks;

import java.util.Arrays;
import java.util.Collection;

/** Measured figures, in order. */
public final class Figures {
    private final double[] sorted;

    private Figures(double[] sorted) {
        this.sorted = sorted;
    }

    public static Figures of(Collection<? extends Number> values) {
        if (values.isEmpty()) {
            throw new IllegalStateException("nothing was measured");
        }
        double[] sorted = values.stream().mapToDouble(Number::doubleValue).toArray();
        Arrays.sort(sorted);
        return new Figures(sorted);
    }

    public double median() {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
