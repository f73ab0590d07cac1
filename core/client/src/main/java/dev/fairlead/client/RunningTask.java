package dev.fairlead.client;

import dev.fairlead.client.calls.RequestPipeline;
import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.client.tasks.TaskInputs;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.tasks.requestor.RemoteTask;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * A task of the server.
 *
 * @param maxBytes the most bytes of changes that wait for each listener
 * @param output reads the result of the task as it came
 */
record RunningTask<O>(
        RemoteTask remote,
        @Nullable CreateTaskResult creation,
        long maxBytes,
        Function<RawJson, O> output)
        implements TaskHandle<O> {
    private static final int WAITING = 64;

    @Override
    public Optional<TaskId> id() {
        return remote.id();
    }

    @Override
    public TaskStatus status() throws InterruptedException {
        return remote.refresh().status();
    }

    @Override
    public Optional<Task> task() throws InterruptedException {
        return Optional.of(remote.refresh());
    }

    @Override
    public Optional<CreateTaskResult> created() {
        return Optional.ofNullable(creation);
    }

    @Override
    public O await(Duration limit) throws InterruptedException {
        return result(Objects.requireNonNull(limit, "limit"));
    }

    @Override
    public O await() throws InterruptedException {
        return result(null);
    }

    private O result(@Nullable Duration limit) throws InterruptedException {
        RawJson result;
        try {
            result = remote.await(limit, null);
        } catch (JsonRpcException e) {
            throw RequestPipeline.typed(e);
        } catch (TaskInputs.HandlerFailedException e) {
            throw e.forCaller();
        }
        return output.apply(result);
    }

    @Override
    public void cancel() throws InterruptedException {
        remote.cancel();
    }

    @Override
    public TaskHandle<O> onProgress(ProgressListener listener) {
        Mailbox<Progress> mailbox =
                new Mailbox<>(
                        "task-progress",
                        WAITING,
                        maxBytes,
                        progress -> HeapSize.of(progress.message()),
                        listener::progress);
        remote.listen(
                new RemoteTask.Listener() {
                    @Override
                    public void progressed(Progress progress) {
                        mailbox.put(progress);
                    }
                });
        remote.watch();
        return this;
    }

    /** Returns the bytes in memory, roughly. */
    private static long size(Task task) {
        return HeapSize.of(task.id().value())
                + HeapSize.of(task.statusMessage())
                + HeapSize.of(task.meta())
                + HeapSize.of(task.otherMembers());
    }

    @Override
    public TaskHandle<O> onStatus(TaskStatusListener listener) {
        Mailbox<Task> mailbox =
                new Mailbox<>(
                        "task-status", WAITING, maxBytes, RunningTask::size, listener::changed);
        remote.listen(
                new RemoteTask.Listener() {
                    @Override
                    public void changed(Task task) {
                        mailbox.put(task);
                    }

                    @Override
                    public boolean wantsEveryChange() {
                        return true;
                    }
                });
        remote.watch();
        return this;
    }
}
