package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to a requestor, whose answers the test gives. */
final class Requestor implements TaskCarrier {
    private final boolean resultStream;
    private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
    final List<StoredTask> changes = new CopyOnWriteArrayList<>();
    final List<Progress> progress = new CopyOnWriteArrayList<>();
    final AtomicInteger probes = new AtomicInteger();
    volatile boolean open = true;
    volatile boolean connected = true;
    volatile boolean wasInterruptedInSend;
    private volatile @Nullable TaskOutcome standing;
    private volatile boolean dead;
    final AtomicInteger losses = new AtomicInteger();

    private Requestor(boolean resultStream) {
        this.resultStream = resultStream;
    }

    static Requestor session() {
        return new Requestor(false);
    }

    static Requestor stream() {
        return new Requestor(true);
    }

    /** Gives the same answer to everything at once. */
    Requestor answering(String json) {
        standing = new TaskOutcome.Result(RawJson.parse(json), false);
        return this;
    }

    /** Loses everything at once, although it seems to be open. */
    Requestor dead() {
        dead = true;
        return this;
    }

    /** A question that has come. */
    static final class Asked {
        final RawJson params;
        private final CompletableFuture<TaskOutcome> answer = new CompletableFuture<>();
        private final CompletableFuture<Boolean> heard = new CompletableFuture<>();

        Asked(RawJson params) {
            this.params = params;
        }

        void answer(String json) {
            answer.complete(new TaskOutcome.Result(RawJson.parse(json), false));
        }

        void fail() {
            fail(new ConnectionException("the stream is gone"));
        }

        void fail(RuntimeException cause) {
            answer.completeExceptionally(cause);
        }

        /** Returns whether it was taken back before its answer was heard. */
        boolean isWithdrawn() throws InterruptedException {
            try {
                return !heard.get(60, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                return false;
            }
        }
    }

    Asked next() throws InterruptedException {
        Asked next = asked.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no question came");
        }
        return next;
    }

    boolean wasAskedNothing() {
        return asked.isEmpty();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isConnected() {
        return open && connected;
    }

    @Override
    public void checkConnected() {
        probes.incrementAndGet();
    }

    @Override
    public boolean isResultStream() {
        return resultStream;
    }

    @Override
    public TaskOutcome ask(StoredTask task, String method, RawJson params)
            throws InterruptedException {
        if (dead) {
            losses.incrementAndGet();
            throw new ConnectionException("nobody is there");
        }
        TaskOutcome known = standing;
        if (known != null) {
            return known;
        }
        Asked question = new Asked(params);
        asked.add(question);
        try {
            TaskOutcome answer = question.answer.get();
            question.heard.complete(true);
            return answer;
        } catch (InterruptedException e) {
            question.heard.complete(false);
            throw e;
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    @Override
    public void progressed(StoredTask task, Progress report) {
        wasInterruptedInSend |= Thread.currentThread().isInterrupted();
        progress.add(report);
    }

    @Override
    public void changed(StoredTask task) {
        wasInterruptedInSend |= Thread.currentThread().isInterrupted();
        changes.add(task);
    }
}
