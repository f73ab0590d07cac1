package dev.fairlead.http.loop;

import java.util.function.LongSupplier;

/**
 * Decides whether a loop polls before it sleeps: yes if the last waits were short, as with a client
 * on the same machine that sends its next request on each answer. Polling is then cheaper than to
 * sleep and be woken. Where waits are longer or vary, the loop does not poll.
 */
final class ShortWaits {
    /** A wait that is longer would hardly have ended while looking; to be woken is part of it. */
    static final long SHORT_NANOS = 60_000;

    /** How many waits in a row must have been short. */
    static final int ENOUGH = 4;

    /** About 20 µs. */
    private static final int LOOKS = 20;

    private final LongSupplier nanoTime;
    private final int looks;
    private int inARow;
    private boolean missed; // since something was found
    private long began;

    ShortWaits(LongSupplier nanoTime, int looks) {
        this.nanoTime = nanoTime;
        this.looks = looks;
    }

    /** Creates the waits of a loop; they are short only if a client can run beside it. */
    static ShortWaits onThisMachine() {
        boolean alone = Runtime.getRuntime().availableProcessors() == 1;
        return new ShortWaits(System::nanoTime, alone ? 0 : LOOKS);
    }

    /** Returns how often to look before sleeping; mostly 0. */
    int looks() {
        return inARow < ENOUGH ? 0 : looks;
    }

    /** An event came while polling. */
    void found() {
        missed = false;
    }

    /**
     * Polling found nothing: the event may have come a little later, so only the second miss ends
     * the row.
     */
    void foundNothing() {
        inARow = missed ? 0 : ENOUGH - 1;
        missed = true;
    }

    void beforeSleep() {
        began = nanoTime.getAsLong();
    }

    void afterSleep() {
        boolean shortly = nanoTime.getAsLong() - began < SHORT_NANOS;
        inARow = shortly ? Math.min(inARow + 1, ENOUGH) : 0;
    }
}
