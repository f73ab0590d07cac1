package dev.fairlead.protocol.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.relay.HandlerThread;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.versioning.RequestMeta;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs requests of the peer, quick ones on the thread that read them where that is possible and all
 * others on threads of their own, and sends exactly one response or none. The handler's return, the
 * peer's cancellation, the deadline and the loss of the connection race through {@link
 * IncomingRequest}. It has no table of requests and no session: the caller that starts a request
 * keeps its id as long as cancellation by id can reach it. Thread-safe.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation
 *     Cancellation Cancellation
 */
public final class RequestRunner {
    private static final System.Logger LOGGER = System.getLogger(RequestRunner.class.getName());

    /** The greatest number of names; the protocol has fewer methods. */
    private static final int MOST_NAMES = 256;

    private static final Map<String, String> THREAD_NAMES = new ConcurrentHashMap<>();

    private final RequestLog log;

    RequestRunner(RequestLog log) {
        this.log = log;
    }

    /** Answers a request whose result is known at once. */
    void answer(JsonRpcRequest request, Exchange exchange, RawJson result, long started) {
        JsonRpcMessage response = new JsonRpcResponse(request.id(), result);
        log.ended(request, exchange, response, null, started);
        send(exchange, response, null);
    }

    /** Answers a request that could not be prepared or started. */
    void refuse(JsonRpcRequest request, Exchange exchange, RuntimeException cause, long started) {
        JsonRpcError error =
                cause instanceof JsonRpcException known
                        ? PeerError.response(known)
                        : unexpected(RequestSubject.of(request.method(), request.params()), cause);
        JsonRpcMessage response = new JsonRpcErrorResponse(request.id(), error);
        log.ended(request, exchange, response, null, started);
        send(exchange, response, kind(cause));
    }

    private static RequestRefusedException.@Nullable Kind kind(Throwable cause) {
        return cause instanceof RequestRefusedException refused ? refused.kind() : null;
    }

    /**
     * Starts a request: on the thread that its exchange has for quick requests, where it may end
     * before this method returns, or on a thread of its own.
     *
     * @param onEnd runs on the thread of the request once the handler has returned, before the
     *     response is sent
     * @throws JsonRpcException as {@link #limitReached} creates it if there is no thread for it;
     *     the request did not run then, and {@code onEnd} does not run
     */
    void start(IncomingRequest request, PreparedRequest prepared, Runnable onEnd) {
        Runnable task = request.exchange().inContext(() -> run(request, prepared, onEnd));
        String name = threadName(request.method());
        Pace pace = prepared.pace();
        try {
            if (prepared.needsPlatformThread()) {
                HandlerThread.unstarted(Thread.ofPlatform().daemon().name(name), task).start();
            } else if (pace != null && pace.isQuick()) {
                request.exchange().run(name, task);
            } else {
                HandlerThread.start(name, task);
            }
        } catch (OutOfMemoryError e) { // the system has no more threads
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    "",
                    e,
                    "No thread could be started for {0}",
                    request.method());
            throw limitReached(request.request(), "The server has no thread for the request");
        }
    }

    /**
     * Creates the exception for a request for which a limit leaves no place: {@code -32000}, which
     * revision 2026-07-28 no longer allows, so that its requests are refused with {@code -32603}.
     */
    static JsonRpcException limitReached(JsonRpcRequest request, String message) {
        return RequestMeta.isClaimed(request.params())
                ? new RequestRefusedException(
                        RequestRefusedException.Kind.LIMIT,
                        RetryableError.mark(new JsonRpcError(ErrorCode.INTERNAL_ERROR, message)))
                : RetryableError.exception(McpErrorCode.LIMIT_EXCEEDED, message);
    }

    private static String threadName(String method) {
        String known = THREAD_NAMES.get(method);
        if (known != null) {
            return known;
        }
        String name = "mcp-request-" + method;
        if (THREAD_NAMES.size() < MOST_NAMES) {
            THREAD_NAMES.put(method, name);
        }
        return name;
    }

    private void run(IncomingRequest request, PreparedRequest prepared, Runnable onEnd) {
        long started = System.nanoTime();
        request.begin();
        JsonRpcMessage response = null;
        RequestRefusedException.Kind refused = null;
        try {
            response = new JsonRpcResponse(request.id(), prepared.run(request));
        } catch (JsonRpcException e) {
            response = new JsonRpcErrorResponse(request.id(), PeerError.response(e));
            refused = kind(e);
        } catch (Throwable e) {
            response = new JsonRpcErrorResponse(request.id(), failure(request, e));
        } finally {
            if (response instanceof JsonRpcResponse && stands(request, onEnd, started)) {
                request.finishIfDue();
                return;
            }
            Cancellation cancellation = request.end();
            request.over();
            Pace pace = prepared.pace();
            if (pace != null) {
                pace.ran(System.nanoTime() - started);
            }
            try {
                onEnd.run();
                finish(request, response, refused, cancellation, started);
            } finally {
                request.answered(); // also where sending the response failed
            }
        }
    }

    /** Returns whether a request stays open although its handler has returned. */
    private boolean stands(IncomingRequest request, Runnable onEnd, long started) {
        return request.stands(
                (result, cancellation) -> {
                    request.over();
                    onEnd.run();
                    JsonRpcMessage response =
                            result == null ? null : new JsonRpcResponse(request.id(), result);
                    finish(request, response, null, cancellation, started);
                });
    }

    private static JsonRpcError failure(IncomingRequest request, Throwable cause) {
        if (request.cancellation().isPresent()) { // a cancelled handler may throw anything
            return new JsonRpcError(ErrorCode.INTERNAL_ERROR, "The request was stopped");
        }
        return unexpected(RequestSubject.of(request.method(), request.params()), cause);
    }

    /** Logs a bug with a reference and returns an error that contains the reference only. */
    private static JsonRpcError unexpected(String subject, Throwable cause) {
        return new JsonRpcError(ErrorCode.INTERNAL_ERROR, Incident.log(subject + " failed", cause));
    }

    private void finish(
            IncomingRequest request,
            @Nullable JsonRpcMessage response,
            RequestRefusedException.@Nullable Kind refused,
            @Nullable Cancellation cancellation,
            long started) {
        log.ended(request.request(), request.exchange(), response, cancellation, started);
        if (request.isAnsweredEarly()) {
            request.exchange().ended(request.id());
            return;
        }
        if (response == null
                || (cancellation != null && cancellation.cause() != Cancellation.Cause.DEADLINE)) {
            abandon(request);
        } else {
            send(request.exchange(), response, refused);
        }
    }

    private static void abandon(IncomingRequest request) {
        try {
            request.exchange().abandon(request.id());
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "The peer of request {0} is gone", request.id());
        }
    }

    /** Sends a response, which is dropped if the connection is lost. */
    private static void send(
            Exchange exchange,
            JsonRpcMessage response,
            RequestRefusedException.@Nullable Kind refused) {
        try {
            if (refused != null && response instanceof JsonRpcErrorResponse error) {
                exchange.refuse(error, refused);
            } else {
                exchange.send(response);
            }
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "A response was not delivered: {0}", e.getMessage());
        }
    }
}
