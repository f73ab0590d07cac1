package dev.fairlead.benchmarks.servers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Makes a number of calls at a time over the pipes of one server: each answer makes room for the
 * next call, and calls that may begin together are written together. One thread writes and reads.
 */
final class StdioLoad {
    /** Ids have as many digits as this. */
    private static final int FIRST_ID = 10_000_000;

    private static final byte[] ID = "\"id\":".getBytes(StandardCharsets.US_ASCII);
    private static final String REST = "x".repeat(112);
    private static final byte[] BEFORE_ID =
            "{\"jsonrpc\":\"2.0\",\"id\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BEFORE_TEXT =
            ",\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\""
                    .getBytes(StandardCharsets.US_ASCII);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final StdioProcess server;
    private final int window;

    /** Made once: a caller that takes longer for one server makes that one sleep longer. */
    private final byte[] afterText;

    private long[] called = new long[1 << 16];
    private final BitSet open = new BitSet();
    private final ByteArrayOutputStream outgoing = new ByteArrayOutputStream();
    private Durations durations = new Durations();
    private int next;

    /**
     * @param window how many calls are under way
     */
    StdioLoad(StdioProcess server, int window) {
        this.server = server;
        this.window = window;
        this.afterText =
                (REST + "\"}" + CallTemplate.meta(server.contender()) + "}}\n")
                        .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Calls for so long; every answer is compared with its call.
     *
     * @throws IOException if the server ends
     * @throws IllegalStateException if an answer is wrong
     */
    Sample run(Duration time) throws IOException {
        durations = new Durations();
        open.clear();
        next = 0;
        long allocated = server.allocated().orElse(0);
        Duration cpu = server.cpu();
        long own = THREADS.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        call(window);
        boolean over = false;
        while (!open.isEmpty()) {
            int answered = 0;
            do {
                take(server.next());
                answered++;
            } while (server.hasNext());
            over = over || System.nanoTime() - start >= time.toNanos();
            if (!over) {
                call(answered);
            }
        }
        long taken = System.nanoTime() - start;
        double generator = (double) (THREADS.getCurrentThreadCpuTime() - own) / taken;
        long bytes = server.allocated().orElse(0) - allocated;
        return Sample.of(durations, taken, server.cpu().minus(cpu), bytes, generator);
    }

    /** How many calls have no answer. */
    int unanswered() {
        return open.cardinality();
    }

    private void call(int number) throws IOException {
        outgoing.reset();
        long now = System.nanoTime();
        for (int i = 0; i < number; i++) {
            int id = FIRST_ID + next;
            byte[] digits = Integer.toString(id).getBytes(StandardCharsets.US_ASCII);
            outgoing.writeBytes(BEFORE_ID);
            outgoing.writeBytes(digits);
            outgoing.writeBytes(BEFORE_TEXT);
            outgoing.writeBytes(digits);
            outgoing.writeBytes(afterText);
            open.set(next);
            if (next == called.length) {
                called = Arrays.copyOf(called, 2 * next);
            }
            called[next] = now;
            next++;
        }
        server.send(outgoing.toByteArray());
    }

    private void take(byte[] line) {
        int number = id(line) - FIRST_ID;
        String answer = new String(line, StandardCharsets.ISO_8859_1);
        if (number < 0
                || !open.get(number)
                || !answer.contains("\"text\":\"" + (FIRST_ID + number) + REST + "\"")) {
            throw new IllegalStateException(server.contender() + " answered wrongly: " + answer);
        }
        open.clear(number);
        durations.add(System.nanoTime() - called[number]);
    }

    private static int id(byte[] line) {
        for (int at = 0; at < line.length - ID.length; at++) {
            if (line[at] == '"' && Arrays.equals(line, at, at + ID.length, ID, 0, ID.length)) {
                int id = 0;
                for (int digit = at + ID.length;
                        line[digit] >= '0' && line[digit] <= '9';
                        digit++) {
                    id = 10 * id + line[digit] - '0';
                }
                return id;
            }
        }
        return -1;
    }
}
