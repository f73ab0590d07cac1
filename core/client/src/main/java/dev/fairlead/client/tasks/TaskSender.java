package dev.fairlead.client.tasks;

import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.RetryPolicy;
import dev.fairlead.client.link.ServerLink;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.tasks.requestor.RemoteTask;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.IntConsumer;

/** Sends the requests of tasks, through the interceptors. */
public interface TaskSender {
    /**
     * Sends a request and waits for its result.
     *
     * @param patience how long to wait without progress, however long that is in all; null for the
     *     usual timeout
     */
    <P extends RequestParams, R extends Result> R call(
            Method<P, R> method, P params, @Nullable Duration patience) throws InterruptedException;

    /** Starts a task by a call that only needs a link to be sent by. */
    @FunctionalInterface
    interface Starting {
        /**
         * Sends the call.
         *
         * @param round is given the number of each round that begins
         */
        RemoteTask by(ServerLink link, CallToolRequest request, IntConsumer round)
                throws InterruptedException;
    }

    /**
     * Starts a task. A task that an interceptor keeps from the caller is cancelled.
     *
     * @param tasks of the client
     */
    StartedTool start(CallToolRequest request, Starting starting, ServerTasks tasks)
            throws InterruptedException;

    /** A request that only needs a link to be sent by. */
    @FunctionalInterface
    interface Sending<R> {
        R by(ServerLink link) throws InterruptedException;
    }

    /**
     * Sends a request, and sends it again as {@link RetryPolicy#afterRequest} decides.
     *
     * @param options of the call, which has begun
     */
    <R> R on(ServerLink link, String method, CallOptions options, Sending<R> sending)
            throws InterruptedException;
}
