package dev.fairlead.benchmarks.soak;

import dev.fairlead.benchmarks.Jvm;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The resources of a process.
 *
 * @param threads their names
 * @param descriptors the targets of its open file descriptors
 */
record Footprint(List<String> threads, List<String> descriptors) {
    static Footprint of(Jvm jvm) throws IOException, InterruptedException {
        return new Footprint(jvm.threads(), jvm.descriptors());
    }

    boolean isWithin(double tolerance, Footprint other) {
        return Math.abs(threads.size() - other.threads.size()) <= tolerance
                && Math.abs(descriptors.size() - other.descriptors.size()) <= tolerance;
    }

    /** Returns the increase and decrease by kind. */
    String difference(Footprint before) {
        return "threads "
                + difference(before.threads, threads)
                + ", descriptors "
                + difference(before.descriptors, descriptors);
    }

    private static Map<String, Long> difference(List<String> before, List<String> after) {
        Map<String, Long> difference = count(after);
        count(before).forEach((kind, number) -> difference.merge(kind, -number, Long::sum));
        difference.values().removeIf(number -> number == 0);
        return difference;
    }

    private static Map<String, Long> count(List<String> names) {
        return names.stream()
                .collect(
                        Collectors.groupingBy(
                                name -> name.replaceAll("\\d+", "N"),
                                TreeMap::new,
                                Collectors.counting()));
    }
}
