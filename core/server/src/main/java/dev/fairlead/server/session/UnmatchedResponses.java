package dev.fairlead.server.session;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.tasks.receiver.TaskReceiver;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The responses of clients that match no question of this process. Those to the question of a task
 * that another process has asked are recorded as its answer; all others are counted and dropped.
 */
final class UnmatchedResponses {
    private static final System.Logger LOGGER =
            System.getLogger(UnmatchedResponses.class.getName());

    /** The most responses that are looked up at a time; more are dropped. */
    static final int LOOKUPS = 16;

    private final Supplier<@Nullable TaskReceiver> tasks;
    private final Semaphore lookups = new Semaphore(LOOKUPS);
    private final LongAdder dropped = new LongAdder();

    UnmatchedResponses(Supplier<@Nullable TaskReceiver> tasks) {
        this.tasks = tasks;
    }

    /** Returns how many were dropped. */
    long dropped() {
        return dropped.sum();
    }

    /**
     * Takes a response. Returns at once.
     *
     * @param answers records it as the answer to a question of a task; false if there is none. Null
     *     if it can be none
     */
    void take(RequestId id, @Nullable Predicate<TaskReceiver> answers) {
        TaskReceiver receiver = tasks.get();
        if (answers == null || receiver == null) {
            drop(id, "no question waits for it");
        } else if (lookups.tryAcquire()) {
            try {
                Thread.ofVirtual().name("mcp-unmatched").start(() -> lookUp(id, receiver, answers));
            } catch (OutOfMemoryError e) { // the system has no more threads
                lookups.release();
                drop(id, "there is no thread to look it up");
            }
        } else {
            drop(id, "too many are looked up");
        }
    }

    private void lookUp(RequestId id, TaskReceiver receiver, Predicate<TaskReceiver> answers) {
        try {
            if (!answers.test(receiver)) {
                drop(id, "no question waits for it, and none of a task");
            }
        } catch (CallException e) { // of the store, or a limit
            drop(id, e.getMessage());
        } catch (RuntimeException e) {
            drop(id, "the look-up failed");
            LimitedLog.failed(LOGGER, Level.WARNING, "", e, "A response was not looked up");
        } finally {
            lookups.release();
        }
    }

    private void drop(RequestId id, @Nullable String reason) {
        dropped.increment();
        LimitedLog.log(
                LOGGER,
                Level.INFO,
                "",
                "A response to request {0} is dropped: {1}",
                Printable.excerpt(id.toString()),
                reason);
    }
}
