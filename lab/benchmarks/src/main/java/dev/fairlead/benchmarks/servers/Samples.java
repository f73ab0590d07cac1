package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The rounds of all servers under one load, in which each server had its turn in each round. */
final class Samples {
    private final Map<Contender, List<Sample>> rounds = new LinkedHashMap<>();

    void add(Contender contender, Sample sample) {
        rounds.computeIfAbsent(contender, first -> new ArrayList<>()).add(sample);
    }

    Iterable<Contender> contenders() {
        return rounds.keySet();
    }

    private List<Sample> of(Contender contender) {
        return rounds.getOrDefault(contender, List.of());
    }

    /** The median of a server's rounds; empty if none counts. */
    OptionalDouble median(Contender contender, ToDoubleFunction<Sample> figure) {
        return median(
                of(contender).stream().filter(Sample::counts).map(figure::applyAsDouble).toList());
    }

    /** How many rounds of a server count. */
    long counted(Contender contender) {
        return of(contender).stream().filter(Sample::counts).count();
    }

    /** The median of the ratios of rounds next to each other. */
    OptionalDouble ratio(Contender one, Contender other, ToDoubleFunction<Sample> figure) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < of(one).size(); round++) {
            Sample first = of(one).get(round);
            Sample second = of(other).get(round);
            if (first.counts() && second.counts()) {
                ratios.add(figure.applyAsDouble(first) / figure.applyAsDouble(second));
            }
        }
        return median(ratios);
    }

    private static OptionalDouble median(List<Double> figures) {
        return figures.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Figures.of(figures).median());
    }
}
