package dev.fairlead.protocol.engine;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RunningRequest;
import dev.fairlead.protocol.SessionContext;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Runs requests that belong to no session. Unlike a {@link Connection} it has no table, so that
 * requests of different peers can have the same id, and no limit: a transport counts the requests
 * that it passes on. Thread-safe.
 */
public final class RequestIntake {
    private final Duration slowRequest;
    private final Map<String, Logs> logs = new ConcurrentHashMap<>(); // by transport

    /** The logs of one transport. */
    private record Logs(SessionContext context, WireLog wire, RequestRunner runner) {
        static Logs of(String transport, Duration slowRequest) {
            NoSession context = new NoSession(transport);
            RequestLog requests = new RequestLog(context, slowRequest);
            return new Logs(context, new WireLog(context), new RequestRunner(requests));
        }
    }

    /** A session context without a session: the only way to the peer is the exchange. */
    private record NoSession(String transport) implements SessionContext {
        @Override
        public void send(JsonRpcMessage message) {
            throw new ConnectionException("Without a session nothing can be sent but the response");
        }

        @Override
        public Caller caller() {
            return Caller.anonymous();
        }

        @Override
        public void close() {}
    }

    /** Finds the handler of a request, or refuses the request. */
    @FunctionalInterface
    public interface Preparation {
        /** Returns the prepared request; see {@link ConnectionHandler#prepare}. */
        PreparedRequest prepare(JsonRpcRequest request, Exchange exchange);
    }

    /**
     * @param slowRequest the duration from which a request is logged as slow
     */
    public RequestIntake(Duration slowRequest) {
        this.slowRequest = slowRequest;
    }

    /**
     * Takes a request over, see {@link dev.fairlead.protocol.RequestHost#accept}.
     *
     * @param transport the name of the transport for logs
     */
    public void accept(
            JsonRpcRequest request,
            Exchange from,
            String transport,
            Preparation preparation,
            Consumer<RunningRequest> onTaken) {
        long started = System.nanoTime();
        Logs log = logs.computeIfAbsent(transport, name -> Logs.of(name, slowRequest));
        Exchange logged = log.wire().received(request, from);
        WireTap.Tapped tapped = WireTap.of(log.context());
        Exchange exchange = tapped == null ? logged : tapped.received(request, logged);
        IncomingRequest running = new IncomingRequest(request, exchange);
        onTaken.accept(running);
        try {
            PreparedRequest prepared = preparation.prepare(request, exchange);
            if (prepared.result() == null) {
                log.runner().start(running, prepared, () -> {});
            } else {
                log.runner().answer(request, exchange, prepared.result(), started);
            }
        } catch (RuntimeException e) {
            log.runner().refuse(request, exchange, e, started);
        }
    }
}
