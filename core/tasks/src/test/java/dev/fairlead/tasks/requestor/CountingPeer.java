package dev.fairlead.tasks.requestor;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A peer that always tells the same of its task, and never gives a result. */
final class CountingPeer implements TaskPeer {
    final AtomicInteger looks = new AtomicInteger();
    final AtomicInteger fetches = new AtomicInteger();
    private final Task task;
    private final CallException noResult;

    CountingPeer(Task task, CallException noResult) {
        this.task = task;
        this.noResult = noResult;
    }

    @Override
    public Task get(TaskId id) {
        looks.incrementAndGet();
        return task;
    }

    @Override
    public RawJson result(TaskId id, @Nullable Duration patience) {
        fetches.incrementAndGet();
        throw noResult;
    }

    @Override
    public Task cancel(TaskId id) {
        throw noResult;
    }

    @Override
    public boolean isLost() {
        return false;
    }
}
