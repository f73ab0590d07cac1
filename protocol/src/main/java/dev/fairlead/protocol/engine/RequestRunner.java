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
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.McpErrorCode;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;

/**
 * Runs requests of the peer, each on a thread of its own, and sends exactly one response or none.
 * The handler's return, the peer's cancellation, the deadline and the loss of the connection race
 * through {@link IncomingRequest}. Keeps no table of requests and knows no session: who starts a
 * request keeps its id for as long as cancellation by id can reach it. Thread-safe.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation
 *     Cancellation Cancellation
 */
public final class RequestRunner {
    private static final System.Logger LOGGER = System.getLogger(RequestRunner.class.getName());

    private final Handler handler;
    private final RequestLog log;

    RequestRunner(Handler handler, RequestLog log) {
        this.handler = handler;
        this.log = log;
    }

    /** Runs the code that answers requests. */
    public interface Handler {
        /**
         * Returns whether {@link #handle} runs this request on a platform thread instead of a
         * virtual one, because its handler computes or calls native code for long. Called on the
         * thread that received the request; must be short and run no code of users.
         */
        default boolean needsPlatformThread(JsonRpcRequest request) {
            return false;
        }

        /**
         * Runs a request, on a thread of its own that is interrupted when the request is cancelled:
         * a virtual one unless {@link #needsPlatformThread} asks for another.
         *
         * @return the result, an object
         * @throws Exception {@link JsonRpcException} becomes that error; anything else is logged
         *     and becomes {@code -32603} with a neutral message
         */
        RawJson handle(IncomingRequest request) throws Exception;
    }

    /**
     * Starts a request and returns at once.
     *
     * @param onEnd runs on the thread of the request once the handler has returned, before the
     *     response is sent
     * @throws JsonRpcException {@code -32000} if there is no thread for it; the request did not run
     *     then, and {@code onEnd} does not run
     */
    void start(IncomingRequest request, Runnable onEnd) {
        try {
            boolean platform = handler.needsPlatformThread(request.request());
            (platform ? Thread.ofPlatform().daemon() : Thread.ofVirtual())
                    .name("mcp-request-" + request.method())
                    .start(() -> run(request, onEnd));
        } catch (OutOfMemoryError e) { // the system has no more threads
            LOGGER.log(Level.WARNING, "No thread could be started for " + request.method(), e);
            throw RetryableError.exception(
                    McpErrorCode.LIMIT_EXCEEDED, "The server has no thread for the request");
        }
    }

    private void run(IncomingRequest request, Runnable onEnd) {
        long started = System.nanoTime();
        request.begin();
        JsonRpcMessage response = null;
        try {
            response = new JsonRpcResponse(request.id(), handler.handle(request));
        } catch (JsonRpcException e) {
            response = new JsonRpcErrorResponse(request.id(), e.error());
        } catch (Throwable e) {
            response = new JsonRpcErrorResponse(request.id(), failure(request, e));
        } finally {
            Cancellation cancellation = request.end();
            try {
                onEnd.run();
                finish(request, response, cancellation, started);
            } finally {
                request.answered(); // also where sending the response failed
            }
        }
    }

    private static JsonRpcError failure(IncomingRequest request, Throwable cause) {
        if (request.cancellation().isPresent()) { // a cancelled handler may throw anything
            return new JsonRpcError(ErrorCode.INTERNAL_ERROR, "The request was stopped");
        }
        return unexpected(request.method(), cause);
    }

    /** Logs a bug with a reference and returns an error that contains the reference only. */
    static JsonRpcError unexpected(String method, Throwable cause) {
        return new JsonRpcError(ErrorCode.INTERNAL_ERROR, Incident.log(method + " failed", cause));
    }

    private void finish(
            IncomingRequest request,
            @Nullable JsonRpcMessage response,
            @Nullable Cancellation cancellation,
            long started) {
        log.ended(request.request(), request.exchange().caller(), response, cancellation, started);
        if (request.isAnsweredEarly()) {
            request.exchange().ended(request.id());
            return;
        }
        if (response == null
                || (cancellation != null && cancellation.cause() != Cancellation.Cause.DEADLINE)) {
            abandon(request);
        } else {
            send(request.exchange(), response);
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
    static void send(Exchange exchange, JsonRpcMessage response) {
        try {
            exchange.send(response);
        } catch (ConnectionException e) {
            LOGGER.log(Level.DEBUG, "A response was not delivered: {0}", e.getMessage());
        }
    }
}
