package dev.fairlead.auth.fetch;

import java.time.Duration;

/**
 * How long several fetches may take together, and each of them. It begins when it is made. Safe for
 * use by several threads.
 */
public final class Deadline {
    private final Duration each;
    private final Duration all;
    private final long begin = System.nanoTime();

    private Deadline(Duration each, Duration all) {
        this.each = each;
        this.all = all;
    }

    /**
     * Begins now.
     *
     * @param each limit of one fetch, redirects included
     * @param all limit of all fetches together
     */
    public static Deadline of(Duration each, Duration all) {
        return new Deadline(each, all);
    }

    /** Returns how long the next fetch may take; zero or negative where no time is left. */
    Duration next() {
        Duration left = all.minusNanos(System.nanoTime() - begin);
        return left.compareTo(each) < 0 ? left : each;
    }

    /** Returns whether no time is left. */
    public boolean isOver() {
        return !next().isPositive();
    }

    /** The limit of all fetches together, for messages, such as {@code 30 s}. */
    @Override
    public String toString() {
        return PlainText.of(all);
    }
}
