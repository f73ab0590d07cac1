package dev.fairlead.protocol;

/**
 * Code around every method of a server or client, in and out. To refuse a method is to throw, best
 * a {@link dev.fairlead.jsonrpc.JsonRpcException}. Must be thread-safe: methods run at the same
 * time.
 */
@FunctionalInterface
public interface Interceptor {
    /**
     * Handles a method, mostly by going on.
     *
     * <p>Runs on the thread of the call, and {@link Next#proceed} stays on it, so that thread
     * locals reach the handler.
     *
     * @return the outcome of {@code next}, or another one of the same method
     */
    Outcome<?> intercept(MethodCall method, Next next) throws Exception;

    /** The rest of the way: the interceptors that follow, and at last the method itself. */
    @FunctionalInterface
    interface Next {
        Outcome<?> proceed(MethodCall method) throws Exception;
    }
}
