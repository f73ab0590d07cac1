package dev.fairlead.benchmarks;

/** What a figure is to be. */
record Target(double bound, boolean atLeast) {
    static Target atLeast(double bound) {
        return new Target(bound, true);
    }

    static Target atMost(double bound) {
        return new Target(bound, false);
    }

    boolean isMetBy(double figure) {
        return atLeast ? figure >= bound : figure <= bound;
    }

    @Override
    public String toString() {
        return (atLeast ? ">= " : "<= ") + Table.number(bound);
    }
}
