package dev.fairlead.benchmarks;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Measures tasks and prints a table for each question. */
public final class Benchmarks {
    private Benchmarks() {}

    /** Runs what the {@linkplain Options#USAGE arguments} say. */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        Program.main(arguments, Options.USAGE, Options::parse, Benchmarks::run);
    }

    /** Measures; the exit status. */
    static int run(Options options, Report report) throws Exception {
        return Program.measure(report, options.checked(), () -> answer(options, report));
    }

    private static void answer(Options options, Report report) throws Exception {
        try (Bench bench = new Bench(options, report)) {
            for (Question question : Question.ALL) {
                if (options.asks(question)) {
                    question.answer(bench);
                }
            }
        }
    }
}
