package dev.fairlead.tasks.requestor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A peer whose answers a test gives, one after the other. */
final class ScriptedPeer implements TaskPeer {
    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    volatile boolean lost;

    /** A request that waits for its answer. */
    record Request(
            String method,
            TaskId id,
            @Nullable Duration patience,
            CompletableFuture<Object> answer,
            Thread asker) {
        void answer(Object result) {
            answer.complete(result);
        }

        void fail(CallException failure) {
            answer.completeExceptionally(failure);
        }
    }

    private Object ask(String method, TaskId id, @Nullable Duration patience)
            throws InterruptedException {
        Request request =
                new Request(
                        method, id, patience, new CompletableFuture<>(), Thread.currentThread());
        requests.add(request);
        try {
            return request.answer().get();
        } catch (ExecutionException e) {
            throw (CallException) e.getCause();
        }
    }

    @Override
    public Task get(TaskId id) throws InterruptedException {
        return (Task) ask("get", id, null);
    }

    @Override
    public RawJson result(TaskId id, @Nullable Duration patience) throws InterruptedException {
        return (RawJson) ask("result", id, patience);
    }

    @Override
    public Task cancel(TaskId id) throws InterruptedException {
        return (Task) ask("cancel", id, null);
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    /** The next request, which must be of this kind. */
    Request next(String method) throws InterruptedException {
        Request request = next();
        assertThat(request.method()).isEqualTo(method);
        return request;
    }

    Request next() throws InterruptedException {
        Request request = requests.poll(60, TimeUnit.SECONDS);
        assertThat(request).as("a request").isNotNull();
        return request;
    }

    void expectNothing() {
        assertThat(requests).isEmpty();
    }
}
