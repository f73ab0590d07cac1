package dev.fairlead.client.link;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.ForeignAnswerException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.base.McpErrorCode;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which request is sent again after a failure. No row asks a person twice: a call whose
 * handlers have answered is never begun again, and a failure of a handler ends the call. All
 * repetitions together take no longer than the maximum of the call, without the time of the
 * handlers.
 *
 * <table>
 * <caption>Requests that are sent again, and at most how often</caption>
 * <tr><th>Failure</th><th>Sent again</th><th>At most</th></tr>
 * <tr><td>the server forgot the session and did not process the request</td>
 *     <td>the request, by a new link</td><td>once</td></tr>
 * <tr><td>the same, but it may have processed the request</td>
 *     <td>a request that only reads, by a new link; any other: nothing, the next request has the
 *     new link</td><td>once</td></tr>
 * <tr><td>the same in a later round than the first</td>
 *     <td>nothing; the next request has a new link</td><td></td></tr>
 * <tr><td>{@code -32022}: the server no longer speaks the revision</td>
 *     <td>nothing; the next request has a new link</td><td></td></tr>
 * <tr><td>the answer was lost, and the link remains (HTTP without a session)</td>
 *     <td>a request that only reads, or a later round of one</td><td>once, each round</td></tr>
 * <tr><td>{@code -32020}: headers do not repeat the arguments</td>
 *     <td>the round, after the definitions of the tools were read</td><td>once, each round</td></tr>
 * <tr><td>the call must allow a task ({@link ServerLink.TaskNeed})</td>
 *     <td>the call as a task, from the round that was refused</td><td>once</td></tr>
 * <tr><td>{@code -32042}: the person must visit pages</td>
 *     <td>the request, after the visits</td><td>once</td></tr>
 * <tr><td>{@code -32602} for the cursor of a kept page</td>
 *     <td>all pages, from the first</td><td>once</td></tr>
 * <tr><td>a connection of HTTP closed before it carried anything of the answer</td>
 *     <td>the message, by {@code Repeatable} of the transport</td><td>as its table states</td></tr>
 * <tr><td>the stream of an answer broke off, and has an id (HTTP with a session)</td>
 *     <td>nothing; {@code AnswerStream} resumes it, {@code LostSession} decides whether the session
 *     is gone</td><td></td></tr>
 * <tr><td>everything else, also errors with {@code data.retryable} and timeouts</td>
 *     <td>nothing; the caller decides</td><td></td></tr>
 * </table>
 */
public final class RetryPolicy {
    /** The requests that change nothing, and can be sent again when their answer was lost. */
    private static final Set<String> READING =
            Set.of(
                            Methods.DISCOVER,
                            Methods.LIST_TOOLS,
                            Methods.LIST_RESOURCES,
                            Methods.LIST_RESOURCE_TEMPLATES,
                            Methods.LIST_PROMPTS,
                            Methods.READ_RESOURCE,
                            Methods.GET_PROMPT,
                            Methods.COMPLETE,
                            Methods.GET_DETAILED_TASK)
                    .stream()
                    .map(Method::name)
                    .collect(Collectors.toUnmodifiableSet());

    /** The part of a call that is sent again. */
    public enum Again {
        /** The failure is given to the caller. */
        NOTHING,
        /** The same, but a new link is opened for the next request. */
        NOTHING_BUT_NEW_LINK,
        /** The request, by the same link. */
        REQUEST,
        /** The request, by a new link. */
        REQUEST_BY_NEW_LINK,
        /** The round, with all that it had. */
        ROUND,
        /** The round, with headers by definitions that are read before. */
        ROUND_WITH_NEW_HEADERS
    }

    private RetryPolicy() {}

    /**
     * Decides whether a request that failed is sent again.
     *
     * @param call the state of the call that the request belongs to
     * @param survives whether the link remains although the answer was lost
     */
    public static Again afterRequest(
            CallException failure, String method, OngoingCall call, boolean survives) {
        if (call.hasFailedHere()) {
            return Again.NOTHING;
        }
        boolean begins = call.isInFirstRound();
        boolean reads = READING.contains(method);
        return switch (failure) {
            case SessionExpiredException expired ->
                    begins && (reads || !expired.mayHaveRun())
                            ? Again.REQUEST_BY_NEW_LINK
                            : Again.NOTHING_BUT_NEW_LINK;
            case JsonRpcException error ->
                    error.code() == McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION
                            ? Again.NOTHING_BUT_NEW_LINK
                            : Again.NOTHING;
            case ForeignAnswerException foreign -> Again.NOTHING;
            case ConnectionException lost ->
                    begins && reads && survives ? Again.REQUEST : Again.NOTHING;
            default -> Again.NOTHING;
        };
    }

    /**
     * Returns whether an error refuses the cursor of a page, so that the list is read again.
     *
     * @param hasCursor whether the page had one that may be out of date
     */
    public static boolean isRefusedCursor(JsonRpcException error, boolean hasCursor) {
        return hasCursor && error.code() == ErrorCode.INVALID_PARAMS;
    }

    /**
     * Decides whether a round that failed is sent again; {@link #afterRequest} decides about the
     * whole request then.
     *
     * @param hasHeaders whether headers repeat arguments
     */
    public static Again afterRound(
            CallException failure, String method, Round round, boolean hasHeaders) {
        return switch (failure) {
            case JsonRpcException error ->
                    hasHeaders && error.code() == McpErrorCode.HEADER_MISMATCH
                            ? Again.ROUND_WITH_NEW_HEADERS
                            : Again.NOTHING;
            case ForeignAnswerException foreign -> Again.NOTHING;
            case ConnectionException lost ->
                    !round.isFirst() && READING.contains(method) ? Again.ROUND : Again.NOTHING;
            default -> Again.NOTHING;
        };
    }
}
