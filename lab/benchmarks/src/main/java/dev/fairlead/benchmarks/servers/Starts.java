package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Figures;
import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.Table;
import dev.fairlead.benchmarks.Target;
import dev.fairlead.benchmarks.servers.Contender.Kind;
import dev.fairlead.benchmarks.servers.Contender.Mode;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How long it takes from the start of a process until it has answered {@code initialize} and {@code
 * tools/list} over stdio: as it is, with a cache of classes that were loaded and linked ahead of
 * time, and by the launcher. All take turns.
 */
final class Starts implements AutoCloseable {
    private static final Target JAVA_SDK = Target.atMost(0.6);
    private static final Target TYPESCRIPT = Target.atMost(1);
    private static final Target LAUNCHER = Target.atMost(1.2);

    /** The limit of the launcher's own time, beside Java, in milliseconds. */
    private static final Target LAUNCHER_ITSELF = Target.atMost(25);

    private final ServerOptions options;
    private final Report report;
    private final Path folder = Files.createTempDirectory("fairlead-start");
    private final Map<String, Start> starts = new LinkedHashMap<>();

    /** A way to start a server, with the times that it took. */
    private record Start(
            Contender contender, List<String> options, List<Double> millis, List<Double> cpu) {
        Start(Contender contender, List<String> options) {
            this(contender, options, new ArrayList<>(), new ArrayList<>());
        }
    }

    private Starts(ServerOptions options, Report report) throws IOException {
        this.options = options;
        this.report = report;
    }

    static void measure(ServerOptions options, Report report) throws Exception {
        try (Starts starts = new Starts(options, report)) {
            starts.prepare();
            starts.measure();
            starts.print();
        }
    }

    /** Starts of this version and of an earlier one. */
    static void measureOurs(ServerOptions options, Report report) throws Exception {
        try (Starts starts = new Starts(options, report)) {
            for (Contender contender : options.contenders()) {
                starts.starts.put(contender.name(), new Start(contender, List.of()));
                starts.starts.put(
                        contender + "-aot", new Start(contender, starts.learn(contender)));
            }
            starts.measure();
            starts.print();
        }
    }

    // ---- the contenders

    private void prepare() throws Exception {
        for (Contender contender : options.contenders()) {
            boolean java = contender.kind() != Kind.TYPESCRIPT;
            if (!java || options.asks("plain")) {
                starts.put(contender.name(), new Start(contender, List.of()));
            }
            if (java && options.asks("aot") && Runtime.version().feature() >= 25) {
                starts.put(contender + "-aot", new Start(contender, learn(contender)));
            }
        }
        String launcher = System.getProperty("fairlead.launcher");
        String build = System.getProperty("fairlead.launcher.build");
        if (launcher != null && build != null && options.asks("launcher")) {
            put("launcher", List.of(launcher, "serve", "--bench", "--stdio"));
            put("launched", launched(Path.of(build)));
        }
    }

    private void put(String name, List<String> command) {
        Contender contender = new Contender(name, Kind.OURS, Mode.STATEFUL, "echo", command);
        starts.put(name, new Start(contender, List.of()));
    }

    /** Java as the launcher starts it, without the launcher. */
    private static List<String> launched(Path build) throws IOException {
        Path cache = build.resolve("stdio.aot");
        List<String> command = new ArrayList<>();
        command.add(Contenders.javaProgram());
        try (var archives = Files.newDirectoryStream(build, "*.jar")) {
            List<String> sorted = new ArrayList<>();
            archives.forEach(archive -> sorted.add(archive.toString()));
            sorted.sort(null);
            command.addAll(List.of("-cp", String.join(File.pathSeparator, sorted)));
        }
        command.add(
                Files.exists(cache)
                        ? "-XX:AOTCache=" + cache
                        : "-XX:SharedArchiveFile=" + build.resolve("stdio.jsa"));
        command.addAll(
                List.of(
                        "-Xlog:disable",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        Contenders.SERVE,
                        "--bench",
                        "--stdio"));
        return List.copyOf(command);
    }

    /** Has a run write its cache; the options of a run that uses it. */
    private List<String> learn(Contender contender) throws Exception {
        Path cache = folder.resolve(contender.name() + ".aot");
        try (StdioProcess server =
                StdioProcess.start(contender, List.of("-XX:AOTCacheOutput=" + cache))) {
            server.listTools();
            server.end();
        }
        if (!Files.exists(cache)) {
            throw new IOException(contender + " wrote no cache");
        }
        // Without the second it would start without a cache that does not fit.
        return List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=on");
    }

    // ---- measuring

    private void measure() throws Exception {
        int rounds = options.either(5, 31);
        for (int round = -1; round < rounds; round++) { // the first fills caches of the system
            for (Start start : starts.values()) {
                measure(start, round >= 0);
            }
        }
    }

    private static void measure(Start start, boolean counts) throws Exception {
        long begin = System.nanoTime();
        try (StdioProcess server = StdioProcess.start(start.contender(), start.options())) {
            server.listTools();
            long taken = System.nanoTime() - begin;
            if (counts) {
                start.millis().add(taken / 1e6);
                start.cpu().add(server.cpu().toNanos() / 1e6);
            }
        }
    }

    // ---- results

    private void print() {
        Table table =
                new Table(
                        "Start of a process to its answers to initialize and tools/list, ms",
                        "server",
                        "median",
                        "CPU");
        starts.forEach(
                (name, start) ->
                        table.row(
                                name,
                                Table.number(Figures.of(start.millis()).median()),
                                Table.number(Figures.of(start.cpu()).median())));
        report.print(table);
        Table ratios =
                new Table(
                        "Ratios of starts, medians of the ratios of each round",
                        "one/other",
                        "time",
                        "",
                        "CPU");
        ratio(ratios, "ours-aot", "java-sdk-aot", JAVA_SDK);
        ratio(ratios, "ours-aot", "typescript", null);
        ratio(ratios, "launched", "typescript", TYPESCRIPT);
        ratio(ratios, "launcher", "typescript", LAUNCHER);
        ratio(ratios, "ours", Contenders.BEFORE, StdioCalls.BEFORE);
        ratio(ratios, "ours-aot", Contenders.BEFORE + "-aot", StdioCalls.BEFORE);
        report.print(ratios);
        printLauncher();
    }

    /** The launcher itself. */
    private void printLauncher() {
        Start with = starts.get("launcher");
        Start without = starts.get("launched");
        if (with == null || without == null) {
            return;
        }
        List<Double> more = new ArrayList<>();
        for (int round = 0; round < with.millis().size(); round++) {
            more.add(with.millis().get(round) - without.millis().get(round));
        }
        double median = Figures.of(more).median();
        Table table = new Table("The launcher itself, ms, median of the differences", "time", "");
        table.row(
                Table.number(median),
                report.check("the launcher itself, ms,", median, LAUNCHER_ITSELF)
                        + " ("
                        + LAUNCHER_ITSELF
                        + ")");
        report.print(table);
    }

    private void ratio(Table table, String one, String other, @Nullable Target target) {
        Start first = starts.get(one);
        Start second = starts.get(other);
        if (first != null && second != null) {
            String pair = one + "/" + other;
            OptionalDouble time = ratio(first.millis(), second.millis());
            table.row(
                    pair,
                    Calls.text(time),
                    Ratios.check(report, pair + " in the time to start,", time, target),
                    Calls.text(ratio(first.cpu(), second.cpu())));
        }
    }

    /** The median of the ratios of each round. */
    static OptionalDouble ratio(List<Double> first, List<Double> second) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < first.size(); round++) {
            ratios.add(first.get(round) / second.get(round));
        }
        return OptionalDouble.of(Figures.of(ratios).median());
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
