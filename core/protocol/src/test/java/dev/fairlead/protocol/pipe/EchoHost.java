package dev.fairlead.protocol.pipe;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A small other side: answers {@code echo} with its parameters, leaves {@code hold} unanswered,
 * abandons {@code abandon}, and records everything.
 */
final class EchoHost implements SessionHost, Session {
    final BlockingQueue<JsonRpcMessage> received = new LinkedBlockingQueue<>();
    final Map<RequestId, CallException> failed = new ConcurrentHashMap<>();
    final Map<RequestId, Exchange> held = new ConcurrentHashMap<>();
    private final BlockingQueue<JsonRpcRequest> holding = new LinkedBlockingQueue<>();
    final AtomicBoolean unhandled = new AtomicBoolean(); // the next response finds no memory
    final CountDownLatch inputEnded = new CountDownLatch(1);
    final CountDownLatch closed = new CountDownLatch(1);
    volatile Revision revision = Revision.V2025_11_25;
    volatile RequestHost requests; // null for none
    volatile SessionContext context;
    volatile ConnectionException cause;
    volatile Class<? extends Throwable> closing; // thrown by close(); null for none

    @Override
    public Session open(SessionContext opened) {
        context = opened;
        return this;
    }

    @Override
    public Optional<RequestHost> requests() {
        return Optional.ofNullable(requests);
    }

    @Override
    public void accept(JsonRpcMessage message, Exchange exchange) {
        received.add(message);
        if (message instanceof JsonRpcResponse && unhandled.getAndSet(false)) {
            throw new OutOfMemoryError("of the test");
        }
        if (message instanceof JsonRpcRequest request) {
            switch (request.method()) {
                case "hold" -> {
                    held.put(request.id(), exchange);
                    holding.add(request);
                }
                case "exhaust" -> throw new OutOfMemoryError("of the test");
                case "break" -> throw new IllegalStateException("a bug of the session");
                case "abandon" -> exchange.abandon(request.id());
                default -> exchange.send(answer(request));
            }
        }
    }

    /** Waits for a request that is left unanswered. */
    JsonRpcRequest awaitHeld() throws InterruptedException {
        return holding.take();
    }

    /** Answers a request that was left unanswered. */
    void answerHeld(JsonRpcRequest request) {
        held.get(request.id()).send(answer(request));
    }

    static JsonRpcResponse answer(JsonRpcRequest request) {
        RawJson params = request.params();
        return new JsonRpcResponse(request.id(), params == null ? RawJson.EMPTY_OBJECT : params);
    }

    @Override
    public void fail(RequestId request, CallException why) {
        failed.put(request, why);
    }

    @Override
    public Optional<Revision> revision() {
        return Optional.ofNullable(revision);
    }

    @Override
    public void inputEnded() {
        inputEnded.countDown();
    }

    @Override
    public void lost(ConnectionException why) {
        cause = why;
        close();
    }

    @Override
    public void close() {
        closed.countDown();
        if (closing == LinkageError.class) {
            throw new LinkageError("a class is missing");
        } else if (closing != null) {
            throw new IllegalStateException("a bug of the session");
        }
    }
}
