package dev.fairlead.jdbc.engine;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A piece of work on its way: what its caller waits for, and what came of it so far. */
final class Operation<T extends @Nullable Object> {
    private final Work<T> work;
    private final boolean single;
    private final CompletableFuture<T> end = new CompletableFuture<>();
    private Runnable outcome = () -> {};

    /**
     * Makes an operation of work.
     *
     * @param single whether it is one statement, which takes effect or not as it is
     */
    Operation(Work<T> work, boolean single) {
        this.work = work;
        this.single = single;
    }

    boolean isSingle() {
        return single;
    }

    /** Does the work; {@link #complete} then tells the caller. */
    void run(Session session) throws SQLException {
        T value = work.on(session);
        outcome = () -> end.complete(value);
    }

    /** The work alone came to nothing, whatever becomes of the others of its group. */
    void failed(Exception failure) {
        outcome = () -> end.completeExceptionally(failure);
    }

    void complete() {
        outcome.run();
    }

    /** What was done did not last. */
    void fail(Throwable failure) {
        end.completeExceptionally(failure);
    }

    /** Waits for the end, however often the caller is interrupted; an interrupt stays set. */
    T await() throws SQLException {
        try {
            return end.join();
        } catch (CompletionException e) {
            throw asOfCaller(e.getCause());
        }
    }

    /** Many callers may get the same failure, so each gets an exception of its own. */
    private static SQLException asOfCaller(@Nullable Throwable failure) {
        if (failure instanceof SQLException sql) {
            return new SQLException(sql.getMessage(), sql.getSQLState(), sql.getErrorCode(), sql);
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        return new SQLException("a statement could not be run: " + failure, failure);
    }
}
