package dev.fairlead.benchmarks.soak;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** How much of each kind was sent, has arrived and came once more. Thread-safe. */
final class Tally {
    /** The number of failures that are reported in full. */
    private static final int REPORTED = 20;

    private final Map<Kind, Count> counts = new EnumMap<>(Kind.class);
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final LongAdder cutOff = new LongAdder();
    private final LongAdder askedAgain = new LongAdder();
    private final LongAdder opened = new LongAdder();
    private final LongAdder abandoned = new LongAdder();

    private record Count(LongAdder sent, LongAdder received, LongAdder doubled) {}

    Tally() {
        for (Kind kind : Kind.values()) {
            counts.put(kind, new Count(new LongAdder(), new LongAdder(), new LongAdder()));
        }
    }

    private Count of(Kind kind) {
        return Objects.requireNonNull(counts.get(kind));
    }

    void sent(Kind kind, long number) {
        of(kind).sent.add(number);
    }

    void received(Kind kind, long number) {
        of(kind).received.add(number);
    }

    void doubled(Kind kind, long number) {
        of(kind).doubled.add(number);
    }

    /** Counts something that came, for the first time or once more. */
    void came(Kind kind, boolean first) {
        if (first) {
            received(kind, 1);
        } else {
            doubled(kind, 1);
        }
    }

    /** Takes over the counts of messages that another component counts. */
    void counted(Kind kind, long received, long doubled) {
        received(kind, received - received(kind));
        doubled(kind, doubled - doubled(kind));
    }

    void failed(String what) {
        if (failures.size() < REPORTED) {
            failures.add(what);
        }
    }

    /** Counts a question of a task that came on a second way, since the first was given up. */
    void askedAgain() {
        askedAgain.increment();
    }

    /** Counts a call, or a connect, that failed since its connection was cut. */
    void cutOff() {
        cutOff.increment();
    }

    void opened() {
        opened.increment();
    }

    void abandoned() {
        abandoned.increment();
    }

    long sent(Kind kind) {
        return of(kind).sent.sum();
    }

    long received(Kind kind) {
        return of(kind).received.sum();
    }

    long lost(Kind kind) {
        return sent(kind) - received(kind);
    }

    long doubled(Kind kind) {
        return of(kind).doubled.sum();
    }

    long lost() {
        return counts.keySet().stream().mapToLong(this::lost).sum();
    }

    long doubled() {
        return counts.keySet().stream().mapToLong(this::doubled).sum();
    }

    long sent() {
        return counts.keySet().stream().mapToLong(this::sent).sum();
    }

    long cutOffs() {
        return cutOff.sum();
    }

    /** The questions of tasks that came on a second way. */
    long questionsAskedAgain() {
        return askedAgain.sum();
    }

    /** The sessions that were opened and used. */
    long sessions() {
        return opened.sum();
    }

    /** The sessions that were opened and left without a word. */
    long abandonedSessions() {
        return abandoned.sum();
    }

    /** The first failures, in words. */
    Iterable<String> failures() {
        return failures;
    }
}
