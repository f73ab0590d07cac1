package dev.fairlead.benchmarks.soak;

import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * Options of a soak.
 *
 * @param time how long clients are at work
 * @param warmUp after which the live heap is judged
 * @param seed determines the actions of clients, and where streams are cut
 * @param sessions how many clients are at work at a time
 * @param cutsAll whether each connection is cut, and not streams alone
 * @param forget after which time the server forgets clients that have left
 * @param nodes how many nodes there are; 0 for one server without others
 */
record SoakOptions(
        Duration time,
        Duration warmUp,
        long seed,
        int sessions,
        boolean cutsAll,
        Duration forget,
        int nodes) {
    static final String USAGE =
            """
            soak [--minutes N] [--warm-up N] [--seed N] [--sessions N] [--cut streams|connections] [--nodes N]

              --minutes   how long clients are at work; 30, and 0.5 is half a minute
              --warm-up   minutes after which the live heap is judged; 5, or a sixth of a shorter run
              --seed      has the same clients do the same
              --sessions  how many clients are at work at a time; 32
              --cut       streams are cut that clients then resume (default), or connections at any
                          byte of their requests and answers
              --nodes     so many processes share a PostgreSQL, and are killed, frozen, cut off and restarted
                          while clients call them by rotation; without --warm-up and --cut

            The exit status is 1 where something was lost, sent twice or left behind.
            """;

    /** The lines of a run of half an hour. */
    private static final int LOOKS = 30;

    static SoakOptions parse(List<String> arguments) {
        double minutes = 30;
        double warmUp = -1;
        long seed = System.nanoTime() & 0xFFFF_FFFFL;
        int sessions = 32;
        boolean cutsAll = false;
        int nodes = 0;
        for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
            String option = rest.next();
            switch (option) {
                case "--minutes" -> minutes = positive(option, rest);
                case "--warm-up" -> warmUp = positive(option, rest);
                case "--seed" -> seed = (long) positive(option, rest);
                case "--sessions" -> sessions = (int) positive(option, rest);
                case "--nodes" -> nodes = (int) positive(option, rest);
                case "--cut" -> cutsAll = cutsConnections(rest);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        if (warmUp < 0) {
            warmUp = Math.min(5, minutes / 6);
        }
        return new SoakOptions(
                minutes(minutes),
                minutes(warmUp),
                seed,
                sessions,
                cutsAll,
                Duration.ofSeconds(10),
                nodes);
    }

    private static boolean cutsConnections(Iterator<String> rest) {
        String value = rest.hasNext() ? rest.next() : "nothing";
        return switch (value) {
            case "streams" -> false;
            case "connections" -> true;
            default ->
                    throw new IllegalArgumentException(
                            "--cut needs streams or connections but got " + value);
        };
    }

    private static Duration minutes(double minutes) {
        return Duration.ofMillis(Math.round(minutes * 60_000));
    }

    private static double positive(String option, Iterator<String> rest) {
        String value = rest.hasNext() ? rest.next() : "nothing";
        try {
            double number = Double.parseDouble(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException(option + " needs a positive number but got " + value);
    }

    /** The time between two looks: a minute, or less in a short run. */
    Duration interval() {
        Duration wanted = Collections.max(List.of(time.dividedBy(LOOKS), Duration.ofSeconds(10)));
        return Collections.min(List.of(wanted, Duration.ofMinutes(1), time));
    }
}
