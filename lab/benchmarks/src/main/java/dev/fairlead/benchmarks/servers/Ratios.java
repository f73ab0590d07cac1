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
    private final int connections;
    private final String load;
    private final Report report;

    Ratios(Samples samples, boolean large, int connections, String load, Report report) {
        this.samples = samples;
        this.large = large;
        this.connections = connections;
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
                    case OURS ->
                            areBothEras(ours, theirs)
                                    || areBothThreads(ours, theirs)
                                    || areBothConsoles(ours, theirs)
                                    || isLater(ours, theirs);
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

    /**
     * Whether calls of one run where they are read, and those of the other on their own threads.
     */
    private static boolean areBothThreads(Contender ours, Contender theirs) {
        return theirs.name().equals(ours.name() + SlowServer.OWN);
    }

    /** Whether one has a console at which no page watches, and the other one none. */
    private static boolean areBothConsoles(Contender ours, Contender theirs) {
        return theirs.name().equals(ours.name() + WatchedServer.OFF);
    }

    private static boolean isLater(Contender ours, Contender theirs) {
        return theirs.isBefore() && !ours.isBefore();
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
                check(pair + " in calls/s", rate, rateTarget(ours, theirs)),
                Calls.text(cpu),
                check(pair + " in CPU per call", cpu, cpuTarget(ours, theirs)),
                Calls.text(allocated),
                check(pair + " in KiB per call", allocated, eraTarget(ours, theirs)),
                Calls.text(p99),
                check(pair + " in p99", p99, p99Target(ours, theirs)));
    }

    private String check(String what, OptionalDouble ratio, @Nullable Target target) {
        return check(report, what + ", " + load + ",", ratio, target);
    }

    /** Returns the text on a ratio that may have a target. */
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

    /** Returns the limit of a request without a session, relative to one of an earlier revision. */
    private static @Nullable Target eraTarget(Contender ours, Contender theirs) {
        return areBothEras(ours, theirs) ? Target.atMost(1) : null;
    }

    private @Nullable Target rateTarget(Contender ours, Contender theirs) {
        if (areBothEras(ours, theirs)) {
            return Target.atLeast(1);
        }
        if (areBothThreads(ours, theirs)) {
            return Target.atLeast(0.9);
        }
        boolean many = !large && connections > 1;
        return many && theirs.name().equals(QUARKUS) ? Target.atLeast(1) : null;
    }

    private @Nullable Target cpuTarget(Contender ours, Contender theirs) {
        return switch (theirs.kind()) {
            case OURS -> ownTarget(ours, theirs);
            case ENGINE -> large ? Target.atMost(0.9) : null;
            case JAVA_SDK -> large ? null : Target.atMost(0.25);
            case QUARKUS -> quarkusTarget(theirs);
            case TYPESCRIPT -> null;
        };
    }

    private static @Nullable Target ownTarget(Contender ours, Contender theirs) {
        if (areBothConsoles(ours, theirs)) {
            return Target.atMost(1.03);
        }
        return isLater(ours, theirs) ? StdioCalls.BEFORE : eraTarget(ours, theirs);
    }

    private @Nullable Target quarkusTarget(Contender quarkus) {
        return switch (quarkus.name()) {
            case QUARKUS -> Target.atMost(large ? 0.85 : connections == 1 ? 0.6 : 0.8);
            case QUARKUS + "-blocking" -> large ? null : Target.atMost(0.5);
            case QUARKUS + "-virtual" -> large ? null : Target.atMost(0.6);
            default -> null;
        };
    }

    private @Nullable Target p99Target(Contender ours, Contender theirs) {
        if (areBothThreads(ours, theirs)) {
            return Target.atMost(1.1);
        }
        boolean many = !large && connections == 64;
        return many && theirs.name().equals(QUARKUS) ? Target.atMost(1) : null;
    }
}
