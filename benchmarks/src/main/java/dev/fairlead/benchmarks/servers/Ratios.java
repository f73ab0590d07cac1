package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.servers.Contender.Kind;
import dev.fairlead.benchmarks.servers.Contender.Mode;

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
                        "KiB/call",
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
                    case OURS -> areBothEras(ours, theirs);
                    case ENGINE, QUARKUS -> // which have only one mode
                            ours.mode() != Mode.PER_REQUEST;
                    case JAVA_SDK, TYPESCRIPT -> ours.mode() == theirs.mode();
                };
    }

    /**
     * Whether one is of revision 2026-07-28, and the other one of those before without sessions.
     */
    private static boolean areBothEras(Contender ours, Contender theirs) {
        return ours.mode() == Mode.PER_REQUEST && theirs.mode() == Mode.STATELESS;
    }

    private void row(Table table, Contender ours, Contender theirs) {
        String pair = ours + "/" + theirs;
        OptionalDouble rate = samples.ratio(ours, theirs, Sample::perSecond);
        OptionalDouble cpu = samples.ratio(ours, theirs, Sample::cpuMicros);
        OptionalDouble allocated =
                theirs.kind() == Kind.TYPESCRIPT
                        ? OptionalDouble.empty()
                        : samples.ratio(ours, theirs, Sample::allocated);
        OptionalDouble p99 = samples.ratio(ours, theirs, Sample::p99Millis);
        table.row(
                pair,
                Calls.text(rate),
                check(pair + " in calls/s", rate, rateTarget(theirs)),
                Calls.text(cpu),
                check(pair + " in CPU per call", cpu, cpuTarget(theirs)),
                Calls.text(allocated),
                check(pair + " in KiB per call", allocated, eraTarget(theirs)),
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

    /** What a request without a session may take of one of the revisions before. */
    private static @Nullable Target eraTarget(Contender theirs) {
        return theirs.kind() == Kind.OURS ? Target.atMost(1) : null;
    }

    private @Nullable Target rateTarget(Contender theirs) {
        if (theirs.kind() == Kind.OURS) {
            return Target.atLeast(1);
        }
        return !large && theirs.name().equals(QUARKUS) ? Target.atLeast(1) : null;
    }

    private @Nullable Target cpuTarget(Contender theirs) {
        if (theirs.kind() == Kind.OURS) {
            return eraTarget(theirs);
        }
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
