package dev.fairlead.jsonrpc;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A call gave no result: it was refused, not answered in time, cancelled, or the connection was
 * lost.
 */
public abstract class CallException extends RuntimeException implements Cloneable {
    private static final long serialVersionUID = 1;

    private @Nullable CallException original; // of a copy; stands before the cause

    protected CallException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns the description of the failure; never null. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }

    /** Returns the cause; null if there is none. */
    @Override
    public synchronized @Nullable Throwable getCause() {
        return original == null ? super.getCause() : original;
    }

    /**
     * Returns a copy of the same class with the stack trace of the current thread and this
     * exception as its cause. A method that waits for another thread throws the copy, so that its
     * stack trace contains the caller, and several callers never share one exception.
     */
    public final CallException withCallerStack() {
        try {
            CallException copy = (CallException) clone();
            copy.original = this;
            copy.fillInStackTrace();
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e); // the class is Cloneable
        }
    }
}
