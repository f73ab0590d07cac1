package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.versioning.RequestMeta;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Answers requests that need no session, since each describes its client: those of revision
 * 2026-07-28 and later. Nothing is kept between them, and ids of different requests may be equal.
 * Thread-safe.
 */
public interface RequestHost {
    /**
     * Takes a request over. Returns when it is accepted or refused, and not when it has been
     * processed; runs code of users on the calling thread only as far as {@link Exchange#run} does.
     *
     * @param meta the request's description of its client, read from its parameters
     * @param exchange the exchange of the request, on which all related messages are sent: exactly
     *     one response, or {@link Exchange#abandon} if it was cancelled
     * @param onTaken receives the handle to cancel it, before any part of it runs; without effect
     *     for a refused request
     */
    void accept(
            JsonRpcRequest request,
            RequestMeta meta,
            RequestOrigin origin,
            Exchange exchange,
            Consumer<RunningRequest> onTaken);

    /**
     * Returns the error {@code -32022} for a revision that is not served, with the served ones.
     *
     * @param requested the name of the revision, which may be empty
     */
    JsonRpcError unsupported(String requested);

    /**
     * Waits until no call waits for the next request of its client ({@link
     * RequestMeta#isContinued}), or the time is over; returns at once by default. A transport that
     * is closed waits, and takes such requests meanwhile.
     */
    default void awaitContinued(Duration limit) throws InterruptedException {}
}
