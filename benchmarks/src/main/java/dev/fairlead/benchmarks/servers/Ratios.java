package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.servers.Contender.Kind;

import org.jspecify.annotations.Nullable;

import java.util.OptionalDouble;

/** Ours beside each peer of the same mode. */
final class Ratios {
    /** The peer that is compared where Quarkus has a target: its fastest. */
    private static final String QUARKUS = "quarkus";

    private final Samples samples;
    private final boolean large;
    private final String load;
    private final Report report;

    Ratios(Samples samples, boolean large, String load, Report report) {
        this.samples = samples;
        this.large = large;
        this.load = load;
        this.report = report;
    }

    void print() {
        Table table =
                new Table(
                        "Ours/theirs, " + load + ", medians of the ratios of each round",
                        "ours/theirs",
                        "calls/s",
                        "",
                        "CPU/call",
                        "",
                        "p99",
                        "");
        boolean any = false;
        for (Contender ours : samples.contenders()) {
            for (Contender theirs : samples.contenders()) {
                if (compares(ours, theirs)) {
                    row(table, ours, theirs);
                    any = true;
                }
            }
        }
        if (any) {
            report.print(table);
        }
    }

    private static boolean compares(Contender ours, Contender theirs) {
        return ours.kind() == Kind.OURS
                && switch (theirs.kind()) {
                    case OURS -> false;
                    case ENGINE, QUARKUS -> true; // which have only one mode
                    case JAVA_SDK, TYPESCRIPT -> ours.mode() == theirs.mode();
                };
    }

    private void row(Table table, Contender ours, Contender theirs) {
        String pair = ours + "/" + theirs;
        OptionalDouble rate = samples.ratio(ours, theirs, Sample::perSecond);
        OptionalDouble cpu = samples.ratio(ours, theirs, Sample::cpuMicros);
        OptionalDouble p99 = samples.ratio(ours, theirs, Sample::p99Millis);
        table.row(
                pair,
                Calls.text(rate),
                check(pair + " in calls/s", rate, rateTarget(theirs)),
                Calls.text(cpu),
                check(pair + " in CPU per call", cpu, cpuTarget(theirs)),
                Calls.text(p99),
                check(pair + " in p99", p99, p99Target(theirs)));
    }

    private String check(String what, OptionalDouble ratio, @Nullable Target target) {
        return check(report, what + ", " + load + ",", ratio, target);
    }

    /** What is said of a ratio that may have a target. */
    static String check(Report report, String what, OptionalDouble ratio, @Nullable Target target) {
        if (target == null) {
            return "";
        }
        String word =
                ratio.isEmpty()
                        ? report.unmeasured(what)
                        : report.check(what, ratio.getAsDouble(), target);
        return word + " (" + target + ")";
    }

    private @Nullable Target rateTarget(Contender theirs) {
        return !large && theirs.name().equals(QUARKUS) ? Target.atLeast(1) : null;
    }

    private @Nullable Target cpuTarget(Contender theirs) {
        if (large) {
            return theirs.kind() == Kind.ENGINE ? Target.atMost(1.1) : null;
        }
        if (theirs.kind() == Kind.JAVA_SDK) {
            return Target.atMost(0.5);
        }
        return theirs.name().equals(QUARKUS) ? Target.atMost(0.8) : null;
    }

    private @Nullable Target p99Target(Contender theirs) {
        return !large && theirs.name().equals(QUARKUS) ? Target.atMost(1.1) : null;
    }
}
