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

    /** The figure below which such a part of all is. */
    public double at(double part) {
        int index = (int) Math.ceil(part * sorted.length) - 1;
        return sorted[Math.clamp(index, 0, sorted.length - 1)];
    }

    public double median() {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    public double lowest() {
        return sorted[0];
    }

    public double highest() {
        return sorted[sorted.length - 1];
    }
}
