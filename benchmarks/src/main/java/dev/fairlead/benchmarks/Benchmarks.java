package dev.fairlead.benchmarks;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Measures tasks and prints a table for each question. */
public final class Benchmarks {
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private Benchmarks() {}

    /** Runs what the {@linkplain Options#USAGE arguments} say. */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        if (List.of(arguments).contains("--help")) {
            System.out.print(Options.USAGE);
            return;
        }
        Options options;
        try {
            options = Options.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println();
            System.err.print(Options.USAGE);
            System.exit(MISUSED);
            return;
        }
        System.exit(run(options, new Report(System.out)));
    }

    /** Measures; the exit status. */
    static int run(Options options, Report report) throws Exception {
        long start = System.nanoTime();
        report.line(Machine.describe());
        try (Bench bench = new Bench(options, report)) {
            for (Question question : Question.ALL) {
                if (options.asks(question)) {
                    question.answer(bench);
                }
            }
        }
        report.line("");
        report.line(
                "Took %d s, %s"
                        .formatted((System.nanoTime() - start) / 1_000_000_000, Machine.load()));
        report.missed().forEach(missed -> report.line("MISSED: " + missed));
        return options.checked() && !report.missed().isEmpty() ? FAILED : 0;
    }
}
