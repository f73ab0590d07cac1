package dev.fairlead.protocol.engine;

import dev.fairlead.json.RawJson;

import org.jspecify.annotations.Nullable;

/**
 * A request of the peer whose handler was found and does not run yet, or whose result is known at
 * once.
 */
@FunctionalInterface
public interface PreparedRequest {
    /**
     * Runs the handler. The thread is interrupted when the request is cancelled.
     *
     * @return the result, an object
     * @throws Exception {@link dev.fairlead.jsonrpc.JsonRpcException} becomes that error; anything
     *     else is logged and becomes {@code -32603} with a neutral message
     */
    RawJson run(IncomingRequest request) throws Exception;

    /** Returns a request whose result is known at once. */
    static PreparedRequest answered(RawJson result) {
        return new PreparedRequest() {
            @Override
            public RawJson run(IncomingRequest request) {
                return result;
            }

            @Override
            public RawJson result() {
                return result;
            }
        };
    }

    /** Returns the result if it is known at once, so that no handler runs; else null. */
    default @Nullable RawJson result() {
        return null;
    }

    /**
     * Returns the pace of the handler, which decides whether the thread that read the request may
     * run it; null if it always gets a thread of its own.
     */
    default @Nullable Pace pace() {
        return null;
    }

    /**
     * Returns whether the handler runs on a platform thread instead of a virtual one, because it
     * computes or calls native code for long.
     */
    default boolean needsPlatformThread() {
        return false;
    }
}
