package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.jsonrpc.JsonRpcException;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A person that is asked, and answers when the test decides. Thread-safe. */
final class ScriptedPerson {
    private static final long PATIENCE_SECONDS = 30;

    private final Semaphore questions = new Semaphore(0);
    private final Semaphore interrupts = new Semaphore(0);
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

    /** An answer of the person. */
    private interface Answer {
        String give() throws JsonRpcException;
    }

    /** Asks, on the thread of a handler. */
    String ask() throws InterruptedException {
        questions.release();
        try {
            return answers.take().give();
        } catch (InterruptedException e) {
            interrupts.release();
            throw e;
        }
    }

    void answer(String text) {
        answers.add(() -> text);
    }

    void deny() {
        answers.add(
                () -> {
                    throw new JsonRpcException(-1, "The user said no");
                });
    }

    void awaitQuestion() throws InterruptedException {
        assertTrue(questions.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS), "a server asks");
    }

    /** Whether a server asks within this time. */
    boolean isAsked(Duration limit) throws InterruptedException {
        return questions.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    void awaitInterrupt() throws InterruptedException {
        assertTrue(
                interrupts.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS),
                "the handler is interrupted");
    }

    boolean wasAskedNothing() {
        return questions.availablePermits() == 0;
    }
}
