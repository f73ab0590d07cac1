package dev.fairlead.server.requests;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("mcp-question-", 1).factory())) {
            CompletionService<RawJson> ended = new ExecutorCompletionService<>(threads);
            List<Future<RawJson>> answers = new ArrayList<>();
            questions.forEach(question -> answers.add(ended.submit(() -> sender.send(question))));
            try {
                for (int i = 0; i < answers.size(); i++) {
                    ended.take().get();
                }
                return answers.stream().map(Future::resultNow).toList();
            } catch (ExecutionException e) {
                throw failure(Objects.requireNonNull(e.getCause()));
            } finally {
                threads.shutdownNow(); // and closing waits for those that are interrupted
            }
        }
    }

    private static RuntimeException failure(Throwable cause) throws InterruptedException {
        return switch (cause) {
            case InterruptedException e -> throw e;
            case CallException e -> e.withCallerStack();
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> new IllegalStateException(cause);
        };
    }
}
