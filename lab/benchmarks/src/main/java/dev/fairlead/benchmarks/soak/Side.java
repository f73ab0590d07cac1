package dev.fairlead.benchmarks.soak;

import dev.fairlead.benchmarks.Jvm;
import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One of the two processes, as it was in the beginning and as it becomes. */
final class Side {
    /** A shorter series says nothing of a trend. */
    private static final Duration SHORTEST = Duration.ofMinutes(5);

    private static final Target HEAP = Target.atMost(1);
    private static final Target REST = Target.atMost(5);

    private final String name;
    private final Jvm jvm;
    private final Footprint start;
    private final List<Trend.Point> heap = new ArrayList<>();

    /** Begins with the process as it is now. */
    Side(String name, Jvm jvm) throws IOException, InterruptedException {
        this.name = name;
        this.jvm = jvm;
        this.start = Footprint.of(jvm);
    }

    /** Adds the live heap of now to the series; it in MiB. */
    String look(Duration at) throws IOException, InterruptedException {
        double mebibytes = jvm.liveHeap() / 1024.0 / 1024;
        heap.add(new Trend.Point(at, mebibytes));
        return "%.2f".formatted(mebibytes);
    }

    /** Says how the live heap has changed since the end of the warm-up. */
    void judgeHeap(Duration warmUp, Report report) {
        List<Trend.Point> judged =
                heap.stream().filter(point -> point.at().compareTo(warmUp) >= 0).toList();
        if (judged.size() < 2) {
            report.line("live heap of the " + name + ": not judged, nothing after the warm-up");
            return;
        }
        Trend trend = Trend.of(judged);
        double rise = trend.percentInTenMinutes();
        Duration span = judged.getLast().at().minus(judged.getFirst().at());
        String what = "rise of the live heap of the " + name + " in ten minutes, in per cent,";
        String word =
                span.compareTo(SHORTEST) < 0
                        ? "not judged, since the series is too short"
                        : report.check(what, rise, HEAP) + " (" + HEAP + ")";
        report.line(
                "live heap of the %s: %.2f MiB in the middle, %+.2f %% in ten minutes by a line through %d looks: %s"
                        .formatted(name, trend.mean(), rise, judged.size(), word));
    }

    /** Says how threads and descriptors differ from the start, after some time if they have to. */
    void judgeRest(Duration patience, Report report) throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        Footprint now = Footprint.of(jvm);
        while (!now.isWithin(REST.bound(), start) && System.nanoTime() < end) {
            Thread.sleep(500); // between two looks
            now = Footprint.of(jvm);
        }
        rest("threads", start.threads().size(), now.threads().size(), report);
        rest("descriptors", start.descriptors().size(), now.descriptors().size(), report);
        if (!now.isWithin(REST.bound(), start)) {
            report.line("  more or less than at the start: " + now.difference(start));
        }
    }

    private void rest(String what, int before, int after, Report report) {
        String checked = "difference in " + what + " of the " + name;
        String word = report.check(checked, Math.abs(after - before), REST);
        report.line(
                "%s of the %s: %d at the start, %d at the end: %s (± %s)"
                        .formatted(what, name, before, after, word, Table.number(REST.bound())));
    }
}
