package dev.fairlead.protocol.limits;

import java.util.ArrayList;
import java.util.List;

/**
 * The shares of the heap that limits have by default: all of them, so that their sum can be seen.
 * Together they are 25/32 of a small heap, and less of a large one, where fixed amounts are less
 * than their parts. A share is the most that its contents take, not memory that is set aside.
 *
 * <p>That is safe although it is more than half: contents are counted as they lie in memory, and a
 * share is full only while clients attack that place. The other 7/32 are left to handlers, to
 * requests while they are read, and to the collector. Tests attack each share in heaps of 64 to 256
 * MiB, and all at the same time in heaps of 128 and 256 MiB.
 */
public enum HeapPlan {
    /** Contents of tasks in memory. */
    TASKS("tasks in memory", 4, 256L << 20),

    /** Answers and events that wait until their clients read them. */
    ANSWERS("answers that wait for their readers", 8, 256L << 20),

    /** Events in memory that clients may come back for. */
    EVENTS("events that are kept", 8, 128L << 20),

    /** Bodies of requests; an eighth of that on top is their reserve. */
    BODIES("bodies of requests", 16, 256L << 20),

    /** Messages of sessions that have no stream yet. */
    PENDING("messages that wait for a stream", 16, 128L << 20),

    /** Client information, capabilities and watched URIs. */
    SESSIONS("contents of sessions", 16, Long.MAX_VALUE),

    /** Parameters and answers of calls that wait for answers of their clients. */
    HELD_CALLS("held calls", 16, Long.MAX_VALUE),

    /** Bytes of later requests on connections of the embedded engine. */
    SENT_AHEAD("bytes sent ahead", 32, Long.MAX_VALUE);

    /** No limit becomes smaller than this. */
    static final long LEAST = 1 << 20;

    /** The longest message of a peer on a large heap, in bytes. */
    static final int MESSAGE = 64 << 20;

    /** The divisor of a smaller heap: an object for each few bytes of it takes the rest. */
    static final int MESSAGE_PART = 16;

    private final String contents;

    /** The divisor of the heap: 16 for a sixteenth. */
    private final int part;

    /** The bytes with a large heap. */
    private final long most;

    HeapPlan(String contents, int part, long most) {
        this.contents = contents;
        this.part = part;
        this.most = most;
    }

    /** Returns the bytes of this share in this JVM: its part of the heap, at least 1 MiB. */
    public long bytes() {
        return atMost(most, part);
    }

    /** Returns the contents of this share. */
    public String contents() {
        return contents;
    }

    /** Returns the divisor of the heap. */
    public int part() {
        return part;
    }

    /** Returns the bytes with a large heap; the largest number where only the heap decides. */
    public long most() {
        return most;
    }

    /**
     * Returns a limit in bytes, or a part of the heap where that is less, but at least 1 MiB. Only
     * for limits within a share of the plan, and of one message.
     *
     * @param most the limit with a large heap
     * @param part the divisor of the heap: 16 for a sixteenth
     */
    public static long atMost(long most, int part) {
        return Math.max(LEAST, Math.min(most, heap() / part));
    }

    /**
     * Returns the longest message that a client takes from its server, and a pipe from either peer,
     * by default: in bytes of JSON, one message at a time.
     */
    public static int message() {
        return (int) atMost(MESSAGE, MESSAGE_PART);
    }

    /** Returns the bytes of the largest heap. */
    public static long heap() {
        return Runtime.getRuntime().maxMemory();
    }

    /** Returns the plan of this JVM as one line for logs. */
    public static String describe() {
        List<String> shares = new ArrayList<>();
        long sum = 0;
        for (HeapPlan share : values()) {
            shares.add(share.contents + " " + mebibytes(share.bytes()));
            sum += share.bytes();
        }
        return "Default limits take at most %s of the heap of %s: %s"
                .formatted(mebibytes(sum), mebibytes(heap()), String.join(", ", shares));
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}
