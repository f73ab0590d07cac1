package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.engine.TaskCarrier;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A way to a requestor whose answers the test gives. Thread-safe. */
final class ScriptedCarrier implements TaskCarrier {
    private static final long PATIENCE_SECONDS = 30;

    final List<Progress> progress = new CopyOnWriteArrayList<>();
    volatile boolean open = true;

    private final CountDownLatch probed = new CountDownLatch(1);
    private final boolean resultStream;
    private final BlockingQueue<Asked> questions = new LinkedBlockingQueue<>();

    private ScriptedCarrier(boolean resultStream) {
        this.resultStream = resultStream;
    }

    static ScriptedCarrier session() {
        return new ScriptedCarrier(false);
    }

    static ScriptedCarrier stream() {
        return new ScriptedCarrier(true);
    }

    /** A question that has come and waits for its answer. */
    static final class Asked {
        final StoredTask task;
        final String method;
        final RawJson params;
        private final CompletableFuture<TaskOutcome> answer = new CompletableFuture<>();
        private final CountDownLatch withdrawn = new CountDownLatch(1);

        Asked(StoredTask task, String method, RawJson params) {
            this.task = task;
            this.method = method;
            this.params = params;
        }

        void answer(String text) {
            answer.complete(TaskStoreTests.result(text));
        }

        /** There will be no answer on this way. */
        void lose() {
            answer.completeExceptionally(new ConnectionException("the stream is gone"));
        }

        void awaitWithdrawal() throws InterruptedException {
            assertTrue(
                    withdrawn.await(PATIENCE_SECONDS, TimeUnit.SECONDS),
                    "the question is withdrawn");
        }
    }

    /** The next question that comes. */
    Asked next() throws InterruptedException {
        Asked next = questions.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no question came");
        }
        return next;
    }

    boolean wasAskedNothing() {
        return questions.isEmpty();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void checkConnected() {
        probed.countDown();
    }

    /** Waits until its connection was checked. */
    void awaitProbe() throws InterruptedException {
        assertTrue(probed.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "the connection is probed");
    }

    @Override
    public boolean isResultStream() {
        return resultStream;
    }

    @Override
    public TaskOutcome ask(StoredTask task, String method, RawJson params)
            throws InterruptedException {
        Asked question = new Asked(task, method, params);
        questions.add(question);
        try {
            return question.answer.get();
        } catch (InterruptedException e) {
            question.withdrawn.countDown();
            throw e;
        } catch (ExecutionException e) {
            throw new ConnectionException("the stream is gone", e);
        }
    }

    @Override
    public void progressed(StoredTask task, Progress report) {
        progress.add(report);
    }

    @Override
    public void changed(StoredTask task) {
        // the changes can be read
    }
}
