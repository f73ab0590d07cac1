package dev.fairlead.benchmarks;

import java.util.List;

/** Something to find out about tasks. */
interface Question {
    List<Question> ALL =
            List.of(new Throughput(), new TakeOver(), new Scale(), new WakeUp(), new Waiting());

    /** How it is named on the command line. */
    String name();

    /** Measures, and prints one table. */
    void answer(Bench bench) throws Exception;
}
