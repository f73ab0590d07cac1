package dev.fairlead.benchmarks;

import java.util.List;

/** The arguments, report and exit status of all programs of this module. */
public final class Program {
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    /** Parses arguments; throws an {@link IllegalArgumentException} that names the fault. */
    @FunctionalInterface
    public interface Parser<T> {
        T parse(List<String> arguments) throws Exception;
    }

    /** Runs a program with its options; returns the exit status. */
    @FunctionalInterface
    public interface Body<T> {
        int run(T options, Report report) throws Exception;
    }

    /** Measures, and prints tables. */
    @FunctionalInterface
    public interface Measurement {
        void run() throws Exception;
    }

    private Program() {}

    /** Runs a program and exits. Prints its usage instead where that is asked for, or needed. */
    public static <T> void main(String[] arguments, String usage, Parser<T> parser, Body<T> body)
            throws Exception {
        if (List.of(arguments).contains("--help")) {
            System.out.print(usage);
            return;
        }
        T options;
        try {
            options = parser.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n\n" + usage);
            System.exit(MISUSED);
            return;
        }
        System.exit(body.run(options, new Report(System.out)));
    }

    /** Measures between a line about the machine and one about the time that it took. */
    public static int measure(Report report, boolean checked, Measurement measurement)
            throws Exception {
        long start = System.nanoTime();
        report.line(Machine.describe());
        measurement.run();
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        report.line("\nTook %d s, %s".formatted(seconds, Machine.load()));
        report.missed().forEach(missed -> report.line("MISSED: " + missed));
        return checked && !report.missed().isEmpty() ? FAILED : 0;
    }
}
