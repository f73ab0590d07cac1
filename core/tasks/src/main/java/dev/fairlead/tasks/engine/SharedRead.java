package dev.fairlead.tasks.engine;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * A value that is read once after each change, by the first thread that needs it then, however many
 * do. A read that was begun before a change serves the threads that came before it alone.
 * Thread-safe.
 */
final class SharedRead<T> {
    private @Nullable CompletableFuture<T> latest; // guarded by this; null after a change

    synchronized void changed() {
        latest = null;
    }

    /**
     * Returns the value; waits if another thread is reading it. A failure is that of all threads
     * that have waited for it, and the next one reads again.
     */
    T get(Supplier<T> read) {
        CompletableFuture<T> own = new CompletableFuture<>();
        CompletableFuture<T> shared = latestOr(own);
        if (shared == own) {
            try {
                own.complete(read.get());
            } catch (Throwable e) { // any failure: the others would wait for ever
                own.completeExceptionally(e);
                throw e;
            }
        }
        try {
            return shared.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private synchronized CompletableFuture<T> latestOr(CompletableFuture<T> own) {
        CompletableFuture<T> shared = latest;
        if (shared == null || shared.isCompletedExceptionally()) {
            shared = own;
            latest = own;
        }
        return shared;
    }
}
