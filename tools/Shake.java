import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs test classes again and again under changing pressure. `./shake --help` describes it.
 *
 * <p>It builds the modules without checks, and starts a JVM for each module and pressure, in which
 * `ShakenRounds` of test-support runs the rounds and writes a report that this program reads.
 */
final class Shake {
    private static final String HELP =
            """
            Usage: ./shake [MODULE | CLASS]... [OPTION]...

            Runs test classes again and again under changing pressure, in one JVM for each module and pressure, and
            names each class, method, round and pressure that failed, with the command that repeats it.

            MODULE is a folder such as core/server, or its last part; CLASS a test class such as RateLimitTest.
            Without both, all default tests run.

              --rounds N            rounds of each class; each round takes the next pressure (20). Modules whose
                                    first round takes less than 10 s have up to 5 times as many
              --seconds S           ends S seconds after the build; slow modules have what fast ones leave, and the last line
                                    counts the rounds that ran (no limit)
              --pressure NAME,...   only these pressures, one after the other (all)
              --seed N              the seed of the first round; it gives the order of classes and methods (random)
              --changed HOURS       the test classes that commits of the last HOURS hours added or changed, newest first
              --newest N            of these, no more than N classes (all)
              --proofs              includes the tests that are tagged as proofs
              --built               runs the classes of the last `mvn verify` instead of building them
              --jobs N              modules that run at the same time (1)
              --keep-going          runs the remaining rounds of a class that failed

            Pressures:
            """;

    private static final Pattern TEST_CLASS =
            Pattern.compile("(?:^|/)src/test/java/(.*Test)\\.java$");
    private static final Pattern ABSTRACT =
            Pattern.compile("(?m)^(?:public )?(?:sealed )?(?:abstract class|interface) ");
    private static final Pattern TESTED_CLASS_PATH =
            Pattern.compile("<property name=\"surefire.test.class.path\" value=\"([^\"]+)\"");
    private static final Set<String> PEERS = Set.of("interop", "browser", "benchmarks");

    /** The names of threads that a JVM has for itself. */
    private static final Pattern OF_THE_JVM =
            Pattern.compile(
                    "VM .*|GC .*|G1 .*|C[12] Compiler.*|Sweeper.*|Signal .*|Service .*|Monitor .*"
                            + "|Notification .*|Reference .*|Finalizer|Common-Cleaner|Attach .*");

    /** A module whose first turn is shorter has more rounds, as they cost little. */
    private static final Duration FAST = Duration.ofSeconds(10);

    private static final int MOST_TIMES = 5;

    /** After so long without the start of a test, a JVM is taken to hang. */
    private static final Duration HANGS = Duration.ofMinutes(5);

    enum Pressure {
        QUIET("nothing but the random order that all rounds have"),
        ONE_PROCESSOR("the JVM on one processor"),
        BUSY("three busy loops beside it"),
        STOPS("the JVM stopped for up to 3 s at random moments"),
        ONE_CARRIER(
                "virtual threads on one platform thread",
                "-Djdk.virtualThreadScheduler.parallelism=1"),
        TWO_CARRIERS("virtual threads on two", "-Djdk.virtualThreadScheduler.parallelism=2"),
        EIGHT_CARRIERS("virtual threads on eight", "-Djdk.virtualThreadScheduler.parallelism=8"),
        INTERPRETED("without compiled code", "-Xint"),
        CROWDED_TMP("a folder for temporary files with 5,000 entries"),
        TURKISH(
                "language and time zone of Turkey",
                "-Duser.language=tr",
                "-Duser.country=TR",
                "-Duser.timezone=Europe/Istanbul"),
        ARABIC(
                "those of Egypt",
                "-Duser.language=ar",
                "-Duser.country=EG",
                "-Duser.timezone=Africa/Cairo"),
        IPV6("IPv6 addresses first", "-Djava.net.preferIPv6Addresses=true"),
        BUSY_ONE_PROCESSOR("one processor, which a busy loop shares"),
        STARVED(
                "threads of the JVM, chosen at random, for up to 2 s on a processor with 30 busy"
                        + " loops",
                "-Djdk.virtualThreadScheduler.parallelism=8");

        private final String description;
        private final List<String> options;

        Pressure(String description, String... options) {
            this.description = description;
            this.options = List.of(options);
        }

        boolean onOneProcessor() {
            return this == ONE_PROCESSOR || this == BUSY_ONE_PROCESSOR;
        }

        int busyLoops() {
            return switch (this) {
                case BUSY -> 3;
                case BUSY_ONE_PROCESSOR -> 1;
                case STARVED -> 30;
                default -> 0;
            };
        }

        boolean areLoopsOnOneProcessor() {
            return onOneProcessor() || this == STARVED;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Pressure of(String label) {
            return Arrays.stream(values())
                    .filter(each -> each.label().equals(label))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new Refusal(
                                            "unknown pressure '"
                                                    + label
                                                    + "'; see ./shake --help"));
        }
    }

    /** A module, and the names of its classes that are shaken. */
    record Module(Path folder, Set<String> classes) {
        String name() {
            return folder.getFileName().toString();
        }
    }

    private static final class Refusal extends RuntimeException {
        Refusal(String message) {
            super(message);
        }
    }

    private final Path root;
    private final Path work;
    private final List<String> wanted = new ArrayList<>();
    private final Set<Process> children = ConcurrentHashMap.newKeySet();
    private final Map<String, String> failures = new LinkedHashMap<>();
    private final AtomicLong classRounds = new AtomicLong();
    private final Map<Path, Duration> firstTurns = new ConcurrentHashMap<>();
    private List<Pressure> pressures = List.of(Pressure.values());
    private int rounds = 20;
    private int jobs = 1;
    private long seed = new Random().nextInt(1_000_000);
    private Duration limit = Duration.ofDays(365);
    private Instant end = Instant.MAX;
    private Duration changed = Duration.ZERO;
    private int newest = Integer.MAX_VALUE;
    private boolean proofs;
    private boolean built;
    private boolean keepGoing;

    private Shake(Path root) {
        this.root = root;
        work = root.resolve("target/shake");
    }

    public static void main(String[] arguments) throws Exception {
        Shake shake = new Shake(Path.of(arguments[0]));
        try {
            System.exit(shake.run(List.of(arguments).subList(1, arguments.length)));
        } catch (Refusal e) {
            System.err.println("shake: " + e.getMessage());
            System.exit(64);
        }
    }

    private int run(List<String> arguments) throws Exception {
        if (arguments.contains("--help")) {
            System.out.print(HELP);
            for (Pressure each : Pressure.values()) {
                System.out.printf("  %-20s %s%n", each.label(), each.description);
            }
            return 0;
        }
        parse(arguments);
        List<Module> modules = modules();
        if (modules.isEmpty()) {
            System.out.println("shake: there are no such test classes");
            return changed.isZero() ? 64 : 0;
        }
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> children.forEach(Process::destroyForcibly)));
        Instant start = Instant.now();
        Map<Path, String> classPaths = build(modules);
        end = Instant.now().plus(limit);
        int classes = modules.stream().mapToInt(module -> module.classes.size()).sum();
        System.out.printf(
                "shake: %d classes of %d modules, %d rounds, seed %d%n",
                classes, modules.size(), rounds, seed);
        rounds(modules, classPaths);
        long planned = modules.stream().mapToLong(this::planned).sum();
        System.out.printf(
                "shake: %,d of %,d rounds of one class in %d s; %s%n",
                classRounds.get(),
                planned,
                Duration.between(start, Instant.now()).toSeconds(),
                failures.isEmpty() ? "green" : failures.size() + " tests were red:");
        failures.forEach((test, how) -> System.out.println("  " + test + "\n" + how));
        return failures.isEmpty() ? 0 : 1;
    }

    private void parse(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            switch (option) {
                case "--proofs" -> proofs = true;
                case "--built" -> built = true;
                case "--keep-going" -> keepGoing = true;
                case "--rounds",
                        "--seconds",
                        "--seed",
                        "--jobs",
                        "--changed",
                        "--newest",
                        "--pressure" -> {
                    if (++i == arguments.size()) throw new Refusal(option + " needs a value");
                    set(option, arguments.get(i));
                }
                default -> {
                    if (option.startsWith("-"))
                        throw new Refusal("unknown option " + option + "; see ./shake --help");
                    wanted.add(option);
                }
            }
        }
    }

    private void set(String option, String value) {
        if (option.equals("--pressure")) {
            pressures = Stream.of(value.split(",")).map(Pressure::of).toList();
            return;
        }
        long number;
        try {
            number = Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new Refusal(option + " needs a number, but got '" + value + "'");
        }
        if (number < 1 && !option.equals("--seed"))
            throw new Refusal(option + " must be at least 1");
        switch (option) {
            case "--rounds" -> rounds = (int) number;
            case "--seconds" -> limit = Duration.ofSeconds(number);
            case "--jobs" -> jobs = (int) number;
            case "--newest" -> newest = (int) number;
            case "--changed" -> changed = Duration.ofHours(number);
            default -> seed = number;
        }
    }

    // ---- classes to shake

    private List<Module> modules() throws IOException, InterruptedException {
        Map<Path, Set<String>> found = new LinkedHashMap<>();
        for (Path source : changed.isZero() ? allSources() : changedSources()) {
            Matcher match = TEST_CLASS.matcher(source.toString().replace(File.separatorChar, '/'));
            if (!match.find()) continue;
            Path module = root.relativize(source).subpath(0, 2);
            String name = match.group(1).replace('/', '.');
            int classes = found.values().stream().mapToInt(Set::size).sum();
            if (classes < newest && isWanted(module, name) && isShaken(module, source)) {
                found.computeIfAbsent(module, any -> new LinkedHashSet<>()).add(name);
            }
        }
        for (String each : wanted) {
            if (found.entrySet().stream()
                    .noneMatch(module -> names(module.getKey(), module.getValue(), each))) {
                throw new Refusal(
                        "there is no module or test class '"
                                + each
                                + "'"
                                + (proofs ? "" : " (for a proof, add --proofs)"));
            }
        }
        return found.entrySet().stream()
                .map(module -> new Module(module.getKey(), module.getValue()))
                .toList();
    }

    private boolean isWanted(Path module, String name) {
        return wanted.isEmpty()
                ? !PEERS.contains(module.getFileName().toString())
                : wanted.stream().anyMatch(each -> names(module, Set.of(name), each));
    }

    private static boolean names(Path module, Collection<String> classes, String wanted) {
        String folder = wanted.replaceAll("/+$", "");
        return module.toString().equals(folder)
                || module.getFileName().toString().equals(folder)
                || classes.stream()
                        .anyMatch(name -> name.equals(wanted) || name.endsWith("." + wanted));
    }

    private boolean isShaken(Path module, Path source) throws IOException {
        String text = Files.readString(source);
        return !ABSTRACT.matcher(text).find() && (proofs || !text.contains("@Tag(\"proof\")"));
    }

    private List<Path> allSources() throws IOException {
        try (Stream<Path> modules = Files.walk(root, 2)) {
            List<Path> sources = new ArrayList<>();
            for (Path module :
                    modules.filter(folder -> Files.isDirectory(folder.resolve("src/test/java")))
                            .sorted()
                            .toList()) {
                try (Stream<Path> files = Files.walk(module.resolve("src/test/java"))) {
                    files.sorted().forEach(sources::add);
                }
            }
            return sources;
        }
    }

    /** From the newest commit to the oldest; moves without changes are none. */
    private List<Path> changedSources() throws IOException, InterruptedException {
        String newest = output("git", "log", "-1", "--format=%ct").strip();
        long since = Long.parseLong(newest) - changed.toSeconds();
        Set<Path> sources = new LinkedHashSet<>();
        for (String line :
                output("git", "log", "-M", "--since=@" + since, "--name-status", "--format=")
                        .split("\n")) {
            String[] fields = line.split("\t");
            if (fields.length > 1 && !fields[0].startsWith("D") && !fields[0].equals("R100")) {
                sources.add(root.resolve(fields[fields.length - 1]));
            }
        }
        return sources.stream().filter(Files::exists).toList();
    }

    private String output(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .directory(root.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) throw new Refusal(String.join(" ", command) + " failed");
        return output;
    }

    // ---- the build

    /**
     * Compiles the modules, unless that was done, and reads the class path of the tests of each.
     */
    private Map<Path, String> build(List<Module> modules) throws IOException, InterruptedException {
        Files.createDirectories(work);
        String support = "checks/test-support";
        if (built) {
            maven(List.of("-pl", support));
        } else {
            String folders =
                    modules.stream()
                            .map(module -> module.folder.toString())
                            .collect(Collectors.joining(","));
            maven(
                    List.of(
                            "-Dquick",
                            "-DskipTests",
                            "-Pproofs",
                            "-pl",
                            folders + "," + support,
                            "-am",
                            "package"));
        }
        String tail = target(support, "classes") + File.pathSeparator + classPath(support);
        Map<Path, String> classPaths = new TreeMap<>();
        for (Module module : modules) {
            String folder = module.folder.toString();
            String tested =
                    built
                            ? testedClassPath(folder)
                            : Stream.of(
                                            target(folder, "test-classes").toString(),
                                            target(folder, "classes").toString(),
                                            classPath(folder))
                                    .collect(Collectors.joining(File.pathSeparator));
            classPaths.put(module.folder, tested + File.pathSeparator + tail);
        }
        return classPaths;
    }

    /** Runs Maven, which also writes the class paths of modules to files. */
    private void maven(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("mvn", "-q", "-B", "-Dstyle.color=never"));
        command.addAll(arguments);
        command.addAll(
                List.of(
                        "dependency:build-classpath",
                        "-Dmdep.includeScope=test",
                        "-Dmdep.outputFile=${project.build.directory}/test.classpath"));
        Path log = work.resolve("build.log");
        Process maven =
                new ProcessBuilder(command)
                        .directory(root.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        children.add(maven);
        int status = maven.waitFor();
        children.remove(maven);
        if (status != 0) throw new Refusal("the build failed:\n" + Files.readString(log));
    }

    private Path target(String module, String name) {
        return root.resolve(module).resolve(built ? "target" : "target/quick").resolve(name);
    }

    private String classPath(String module) throws IOException {
        return Files.readString(target(module, "test.classpath")).strip();
    }

    /** Returns the class path of the last tests of a module, which their reports contain. */
    private String testedClassPath(String module) throws IOException {
        Path reports = target(module, "surefire-reports");
        if (Files.isDirectory(reports)) {
            try (var files = Files.newDirectoryStream(reports, "TEST-*.xml")) {
                for (Path report : files) {
                    Matcher match = TESTED_CLASS_PATH.matcher(Files.readString(report));
                    if (match.find()) return match.group(1);
                }
            }
        }
        throw new Refusal("no report of tests in " + reports + "; run without --built");
    }

    // ---- the rounds

    /** Some rounds of each class under one pressure. */
    private record Turn(Pressure pressure, int count, long first) {}

    private List<Turn> turns() {
        List<Turn> turns = new ArrayList<>();
        int begun = 0;
        for (int turn = 0; begun < rounds; turn++) {
            int left = pressures.size() - turn;
            int count = left > 0 ? Math.max(1, (rounds - begun) / left) : 1;
            turns.add(new Turn(pressures.get(turn % pressures.size()), count, seed + begun));
            begun += count;
        }
        return turns;
    }

    /** Returns how many times as many rounds a module has after its first turn. */
    private int times(Module module) {
        return Math.clamp(
                FAST.toMillis() / Math.max(1, firstTurn(module).toMillis()), 1, MOST_TIMES);
    }

    private Duration firstTurn(Module module) {
        return firstTurns.getOrDefault(module.folder, FAST);
    }

    private long planned(Module module) {
        int first = turns().getFirst().count;
        return module.classes.size() * (first + (long) (rounds - first) * times(module));
    }

    /**
     * Gives all modules their first turn, and then all others to one after the other, beginning
     * with the one whose first turn took the least time: a limit of time costs rounds of slow
     * classes, but no class its first round.
     */
    private void rounds(List<Module> modules, Map<Path, String> classPaths)
            throws InterruptedException {
        List<Turn> turns = turns();
        turn(modules, classPaths, turns.getFirst());
        List<Module> byTime =
                modules.stream().sorted(Comparator.comparing(this::firstTurn)).toList();
        for (int i = 0; i < byTime.size(); i += jobs) {
            List<Module> next = byTime.subList(i, Math.min(i + jobs, byTime.size()));
            for (Turn turn : turns.subList(1, turns.size())) {
                if (Instant.now().isBefore(end)) turn(next, classPaths, turn);
            }
        }
    }

    private void turn(List<Module> modules, Map<Path, String> classPaths, Turn turn)
            throws InterruptedException {
        Pressure pressure = turn.pressure;
        System.out.printf(
                "shake: %s, %s%n",
                modules.stream().map(Module::name).collect(Collectors.joining(" ")),
                pressure.label());
        List<Process> loops =
                IntStream.range(0, pressure.busyLoops())
                        .mapToObj(any -> busyLoop(pressure))
                        .toList();
        try (var executor = Executors.newFixedThreadPool(jobs)) {
            List<Future<Void>> results = new ArrayList<>();
            for (Module module : modules) {
                results.add(
                        executor.submit(
                                () -> {
                                    Instant start = Instant.now();
                                    if (start.isAfter(end)) return null;
                                    new Run(module, classPaths.get(module.folder), turn).call();
                                    firstTurns.putIfAbsent(
                                            module.folder, Duration.between(start, Instant.now()));
                                    return null;
                                }));
            }
            for (Future<Void> result : results) {
                try {
                    result.get();
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            loops.forEach(this::endChild);
        }
    }

    private Process busyLoop(Pressure pressure) {
        List<String> command =
                new ArrayList<>(
                        pressure.areLoopsOnOneProcessor()
                                ? List.of("taskset", "-c", "0")
                                : List.of());
        command.addAll(List.of("bash", "-c", "while :; do :; done"));
        return start(new ProcessBuilder(command));
    }

    private Process start(ProcessBuilder builder) {
        try {
            Process process = builder.start();
            children.add(process);
            return process;
        } catch (IOException e) {
            throw new Refusal(
                    "cannot start " + builder.command().getFirst() + ": " + e.getMessage());
        }
    }

    private void endChild(Process child) {
        child.descendants().forEach(ProcessHandle::destroyForcibly);
        child.destroyForcibly();
        children.remove(child);
    }

    /** The rounds of one module under one pressure, in one JVM. */
    private final class Run {
        private final Module module;
        private final String classPath;
        private final Pressure pressure;
        private final int count;
        private final long first;
        private final Path folder;
        private final Path report;
        private final Path log;

        Run(Module module, String classPath, Turn turn) {
            this.module = module;
            this.classPath = classPath;
            pressure = turn.pressure;
            count = turn.count * times(module);
            first = turn.first;
            folder = work.resolve(module.name()).resolve(pressure.label());
            report = folder.resolve("report");
            log = folder.resolve("log-" + first);
        }

        void call() throws IOException, InterruptedException {
            delete(folder.resolve("tmp"));
            Path tmp = Files.createDirectories(folder.resolve("tmp"));
            if (pressure == Pressure.CROWDED_TMP) {
                for (int i = 0; i < 5_000; i++)
                    Files.createFile(tmp.resolve("left-by-others-" + i));
            }
            Set<String> classes = new LinkedHashSet<>(module.classes);
            if (!keepGoing) failures.keySet().forEach(test -> classes.remove(test.split("#")[0]));
            if (classes.isEmpty()) return;
            Files.write(folder.resolve("classes"), classes);
            Files.deleteIfExists(report);
            Process jvm = start(jvm(tmp));
            String end;
            try {
                end = watch(jvm);
            } finally {
                endChild(jvm);
            }
            read(end);
            delete(tmp);
        }

        /** Waits for the end of a JVM, and returns why it ended; empty if the time is over. */
        private String watch(Process jvm) throws IOException, InterruptedException {
            Random random = new Random(first);
            Instant progress = Instant.now();
            long size = 0;
            while (!jvm.waitFor(pause(random), TimeUnit.MILLISECONDS)) {
                switch (pressure) {
                    case STOPS -> stop(jvm, random);
                    case STARVED -> starve(jvm, random);
                    default -> {}
                }
                long now = Files.exists(report) ? Files.size(report) : 0;
                if (now != size) progress = Instant.now();
                size = now;
                if (Instant.now().isAfter(end)) return "";
                if (Duration.between(progress, Instant.now()).compareTo(HANGS) > 0) {
                    dump(jvm);
                    return "no test has started for " + HANGS.toMinutes() + " minutes";
                }
            }
            return "the JVM ended with status " + jvm.exitValue();
        }

        private int pause(Random random) {
            return switch (pressure) {
                case STOPS -> random.nextInt(500, 3_000);
                case STARVED -> random.nextInt(1, 200);
                default -> 1_000;
            };
        }

        private ProcessBuilder jvm(Path tmp) {
            List<String> command = new ArrayList<>();
            if (pressure.onOneProcessor()) command.addAll(List.of("taskset", "-c", "0"));
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(
                    List.of(
                            "-ea",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "--enable-native-access=ALL-UNNAMED",
                            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                            "-Dbasedir=" + root.resolve(module.folder),
                            "-Djava.io.tmpdir=" + tmp));
            boolean onLoop = module.name().equals("http-engines") && first % 2 == 1;
            if (onLoop) command.add("-Dfairlead.test.engine=loop");
            command.addAll(pressure.options);
            command.addAll(
                    List.of(
                            "-cp",
                            classPath,
                            "dev.fairlead.test.support.ShakenRounds",
                            report.toString(),
                            folder.resolve("classes").toString(),
                            Integer.toString(count),
                            Long.toString(first),
                            "keyring,python"
                                    + (proofs ? "" : ",proof")
                                    + (onLoop ? ",jetty-alone" : "")));
            ProcessBuilder builder =
                    new ProcessBuilder(command).directory(root.resolve(module.folder).toFile());
            builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
            builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
            return builder.redirectErrorStream(true).redirectOutput(log.toFile());
        }

        private void stop(Process jvm, Random random) throws IOException, InterruptedException {
            signal(jvm, "STOP");
            try {
                Thread.sleep(random.nextInt(100, 3_000));
            } finally {
                signal(jvm, "CONT");
            }
        }

        /**
         * Moves some threads to the processor of the busy loops for a while, so that the others
         * overtake them. Threads and processes that they start in that time are there as well, and
         * are moved back with them.
         */
        private void starve(Process jvm, Random random) throws IOException, InterruptedException {
            List<String> threads = threads(jvm);
            if (threads.isEmpty()) return;
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                run("taskset", "-pc", "0", threads.get(random.nextInt(threads.size())));
            }
            Thread.sleep(random.nextInt(20, 2_000));
            String all = "0-" + (Runtime.getRuntime().availableProcessors() - 1);
            run("taskset", "-apc", all, Long.toString(jvm.pid()));
            for (ProcessHandle child : jvm.descendants().toList()) {
                run("taskset", "-apc", all, Long.toString(child.pid()));
            }
        }

        /** The threads that run code of Java: those of the JVM itself would stop all others. */
        private static List<String> threads(Process jvm) throws IOException {
            Path all = Path.of("/proc", Long.toString(jvm.pid()), "task");
            List<String> threads = new ArrayList<>();
            try (var folders = Files.newDirectoryStream(all)) {
                for (Path folder : folders) {
                    if (!OF_THE_JVM.matcher(name(folder)).matches()) {
                        threads.add(folder.getFileName().toString());
                    }
                }
            } catch (NoSuchFileException | DirectoryIteratorException e) { // the JVM has ended
            }
            return threads;
        }

        private static String name(Path thread) {
            try {
                return Files.readString(thread.resolve("comm")).strip();
            } catch (IOException e) {
                return "it has ended";
            }
        }

        private static void signal(Process jvm, String signal)
                throws IOException, InterruptedException {
            run("kill", "-" + signal, Long.toString(jvm.pid()));
        }

        private static void run(String... command) throws IOException, InterruptedException {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }

        /** The threads of a JVM that hangs, at the end of its log. */
        private void dump(Process jvm) throws IOException, InterruptedException {
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                            Long.toString(jvm.pid()),
                            "Thread.print")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start()
                    .waitFor(30, TimeUnit.SECONDS);
        }

        private void read(String end) throws IOException {
            int complete = 0;
            String[] running = {"", module.classes.iterator().next(), "?"};
            List<String> lines = Files.exists(report) ? Files.readAllLines(report) : List.of();
            for (String line : lines) {
                String[] fields = line.split("\t", -1);
                switch (fields[0]) {
                    case "test" -> running = fields;
                    case "round" -> complete++;
                    case "red" -> red(fields[1], fields[2], Long.parseLong(fields[3]), fields[4]);
                    default -> {}
                }
            }
            classRounds.addAndGet(complete * (long) module.classes.size());
            if (complete < count && !end.isEmpty()) {
                red(running[1], running[2], first + complete, end);
            }
        }

        private void red(String type, String method, long at, String message) {
            String top = type.replaceAll("\\$.*", "");
            String command =
                    "./shake %s --rounds 1 --pressure %s --seed %d%s"
                            .formatted(
                                    top.substring(top.lastIndexOf('.') + 1),
                                    pressure.label(),
                                    at,
                                    proofs ? " --proofs" : "");
            String how =
                    "    in round %d (%s): %s%n    log: %s%n    again: %s"
                            .formatted(
                                    at - seed + 1,
                                    pressure.label(),
                                    shortened(message),
                                    root.relativize(log),
                                    command);
            synchronized (failures) {
                if (failures.putIfAbsent(top + "#" + method, how) == null) {
                    System.out.println("RED " + top + " " + method + "\n" + how);
                }
            }
        }

        private static String shortened(String message) {
            return message.length() > 400 ? message.substring(0, 400) + " ..." : message;
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) return;
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(
                            file -> {
                                try {
                                    Files.deleteIfExists(file);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
        }
    }
}
