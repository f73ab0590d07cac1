package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.engine.KeyedRateLimiter;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskLimits;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Checks every operation of a requestor: rate limit, repeated failures, and whether the engine is
 * open.
 */
final class AdmissionControl {
    private final TaskLimits limits;
    private final Audit audit;
    private final KeyedRateLimiter operations;
    private final Suspicion suspicion;
    private volatile boolean closed;

    AdmissionControl(TaskLimits limits, Audit audit, Timers timers) {
        this.limits = limits;
        this.audit = audit;
        int rate = limits.operationsPerSecond();
        int burst = (int) Math.min(2L * rate, Integer.MAX_VALUE);
        this.operations =
                new KeyedRateLimiter(rate, Duration.ofSeconds(1), burst, timers::nanoTime);
        this.suspicion = new Suspicion(limits, audit, timers.clock());
    }

    /** Admits an operation, or refuses it. */
    void pass(Owner owner) {
        if (closed) {
            throw closing();
        }
        boolean isCounted = limits.loopbackOperations() || !owner.isLoopback();
        if (isCounted && !operations.take(owner)) {
            String why =
                    "Too many task operations, at most "
                            + limits.operationsPerSecond()
                            + " a second are allowed";
            audit.event(TaskEvent.Kind.REFUSED, owner, null, null, why);
            throw RetryableError.exception(
                    McpErrorCode.LIMIT_EXCEEDED, why, operations.delay(owner));
        }
    }

    /** Admits the lookup of one task. */
    void pass(Owner owner, TaskId id) {
        pass(owner);
        if (!TaskIds.mayBe(id)) {
            throw unknown(owner, id);
        }
    }

    /** Admits a poll of the state of a task. */
    void poll(Owner owner, TaskId id) {
        pass(owner, id);
        suspicion.poll(owner);
    }

    /** Returns the same error for unknown, foreign and malformed ids. */
    JsonRpcException unknown(Owner owner, TaskId id) {
        suspicion.failedLookup(owner);
        String value = id.value();
        return JsonRpcException.invalidParams(
                "Unknown task: "
                        + (value.length() <= TaskIds.MAX_LENGTH
                                ? value
                                : value.substring(0, TaskIds.MAX_LENGTH) + "…"));
    }

    /** Returns the error for a reached limit. */
    JsonRpcException refuse(Owner owner, String name, String why) {
        audit.event(TaskEvent.Kind.REFUSED, owner, null, name, why);
        return RetryableError.exception(McpErrorCode.LIMIT_EXCEEDED, why);
    }

    static JsonRpcException expired() {
        return JsonRpcException.invalidParams("Task has expired");
    }

    static JsonRpcException closing() {
        return RetryableError.exception(ErrorCode.INTERNAL_ERROR, "Tasks are closing");
    }

    /** Returns the time to live of a new task, within the limits. */
    Duration ttl(Owner owner, @Nullable Duration wish) {
        if (wish != null && !wish.isPositive()) {
            throw JsonRpcException.invalidParams(
                    "ttl must be positive but was " + wish.toMillis() + " ms");
        }
        Duration ttl = least(wish == null ? limits.defaultTtl() : wish, limits.maxTtl());
        return owner instanceof Owner.Anonymous ? least(ttl, limits.anonymousTtl()) : ttl;
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Refuses all operations from now on. */
    void close() {
        closed = true;
    }
}
