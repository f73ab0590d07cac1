package dev.fairlead.benchmarks;

/** The target of a figure. */
public record Target(double bound, boolean atLeast) {
    public static Target atLeast(double bound) {
        return new Target(bound, true);
    }

    public static Target atMost(double bound) {
        return new Target(bound, false);
    }

    public boolean isMetBy(double figure) {
        return atLeast ? figure >= bound : figure <= bound;
    }

    @Override
    public String toString() {
        return (atLeast ? ">= " : "<= ") + Table.number(bound);
    }
}
