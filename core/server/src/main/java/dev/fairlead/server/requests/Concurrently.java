package dev.fairlead.server.requests;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** Asks several questions at the same time, each on a thread of its own. */
public final class Concurrently {
    private Concurrently() {}

    /** Asks one question and waits for its result. */
    @FunctionalInterface
    public interface SingleSender {
        RawJson send(ClientRequest<?> question) throws InterruptedException;
    }

    /**
     * Asks all and waits for all. As soon as one fails, or the caller is interrupted, the others
     * are interrupted, which withdraws them.
     */
    public static List<RawJson> all(List<ClientRequest<?>> questions, SingleSender sender)
            throws InterruptedException {
        if (questions.size() == 1) {
            return List.of(sender.send(questions.getFirst()));
        }
        @Nullable RawJson[] answers = new RawJson[questions.size()];
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < answers.length; i++) {
            int index = i;
            threads.add(
                    Thread.ofVirtual()
                            .name("mcp-question-" + questions.get(i).method())
                            .unstarted(
                                    () -> {
                                        try {
                                            answers[index] = sender.send(questions.get(index));
                                        } catch (Throwable e) {
                                            if (failure.compareAndSet(null, e)) {
                                                threads.forEach(Thread::interrupt);
                                            }
                                        }
                                    }));
        }
        threads.forEach(Thread::start);
        awaitAll(threads);
        rethrow(failure.get());
        return Arrays.stream(answers).map(Objects::requireNonNull).toList();
    }

    private static void awaitAll(List<Thread> threads) throws InterruptedException {
        InterruptedException interrupted = null;
        for (Thread thread : threads) {
            while (true) {
                try {
                    thread.join();
                    break;
                } catch (InterruptedException e) {
                    interrupted = e;
                    threads.forEach(Thread::interrupt);
                }
            }
        }
        if (interrupted != null) {
            throw interrupted;
        }
    }

    private static void rethrow(@Nullable Throwable failure) throws InterruptedException {
        switch (failure) {
            case null -> {}
            case InterruptedException e -> throw e;
            case CallException e -> throw e.withCallerStack();
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }
}
