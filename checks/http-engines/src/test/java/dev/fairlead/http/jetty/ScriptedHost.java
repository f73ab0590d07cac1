package dev.fairlead.http.jetty;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.base.Implementation;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A host whose answers a test scripts; each request runs on a virtual thread of its own. */
final class ScriptedHost implements SessionHost {
    /** The handling of a request. */
    @FunctionalInterface
    interface Script {
        void run(JsonRpcRequest request, Exchange exchange, Scripted session) throws Exception;
    }

    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    final BlockingQueue<Scripted> sessions = new LinkedBlockingQueue<>();
    volatile boolean full;
    volatile @Nullable Implementation implementation;

    ScriptedHost on(String method, Script script) {
        scripts.put(method, script);
        return this;
    }

    @Override
    public Session open(SessionContext context) {
        if (full) {
            throw new IllegalStateException("full");
        }
        Scripted session = new Scripted(context);
        sessions.add(session);
        return session;
    }

    @Override
    public Optional<Session> restore(SessionContext context, JsonObject state, int restored) {
        Scripted session = new Scripted(context);
        session.revision = Revision.of(state.string("revision")).orElseThrow();
        session.restored = restored;
        sessions.add(session);
        return Optional.of(session);
    }

    @Override
    public Optional<Implementation> implementation() {
        return Optional.ofNullable(implementation);
    }

    @Override
    public List<byte[]> peerKeys() {
        return List.of("the key that all nodes of these tests share".getBytes(UTF_8));
    }

    /** The next session that was opened. */
    Scripted session() throws InterruptedException {
        Scripted session = sessions.poll(60, TimeUnit.SECONDS);
        if (session == null) {
            throw new AssertionError("no session was opened");
        }
        return session;
    }

    static JsonRpcResponse result(JsonRpcRequest request, String json) {
        return new JsonRpcResponse(request.id(), RawJson.parse(json));
    }

    static JsonRpcNotification notification(String method, String params) {
        return new JsonRpcNotification(method, RawJson.parse(params));
    }

    static JsonRpcNotification numbered(int number) {
        return notification("notifications/message", "{\"n\":" + number + "}");
    }

    final class Scripted implements Session {
        final SessionContext context;
        final BlockingQueue<JsonRpcMessage> received = new LinkedBlockingQueue<>();
        final BlockingQueue<RequestId> failed = new LinkedBlockingQueue<>();
        final BlockingQueue<Exchange> exchanges = new LinkedBlockingQueue<>();
        final BlockingQueue<Boolean> reachable = new LinkedBlockingQueue<>();
        volatile boolean closed;
        volatile boolean sent = true;
        volatile int restored;
        private volatile Revision revision;

        Scripted(SessionContext context) {
            this.context = context;
            this.revision = context.assumedRevision().orElse(null);
        }

        @Override
        public boolean hasSent(RequestId request) {
            return sent;
        }

        @Override
        public void accept(JsonRpcMessage message, Exchange exchange) {
            exchanges.add(exchange);
            if (!(message instanceof JsonRpcRequest request)) {
                received.add(message);
            } else if (request.method().equals("initialize")
                    && context.assumedRevision().isEmpty()) {
                initialize(request, exchange);
            } else {
                received.add(message);
                Thread.ofVirtual().start(() -> run(request, exchange));
            }
        }

        private void initialize(JsonRpcRequest request, Exchange exchange) {
            Optional<Revision> asked =
                    Optional.ofNullable(request.params())
                            .flatMap(
                                    params ->
                                            ((JsonObject) params.value()).get("protocolVersion")
                                                            instanceof
                                                            dev.fairlead.json.JsonString text
                                                    ? Revision.of(text.value())
                                                    : Optional.empty());
            if (revision != null || asked.isEmpty()) {
                exchange.send(
                        new JsonRpcErrorResponse(request.id(), new JsonRpcError(-32600, "no")));
                return;
            }
            revision = asked.get();
            context.changed(() -> JsonObject.of("revision", revision.date()));
            exchange.send(result(request, "{\"protocolVersion\":\"" + revision + "\"}"));
        }

        private void run(JsonRpcRequest request, Exchange exchange) {
            try {
                scripts.getOrDefault(
                                request.method(),
                                (asked, answer, session) -> answer.send(result(asked, "{}")))
                        .run(request, exchange, this);
            } catch (Exception e) {
                exchange.send(
                        new JsonRpcErrorResponse(
                                request.id(), new JsonRpcError(-32603, e.toString())));
            }
        }

        @Override
        public void fail(RequestId request, CallException cause) {
            failed.add(request);
        }

        @Override
        public void reachable() {
            reachable.add(context.isReachable());
        }

        @Override
        public Optional<Revision> revision() {
            return Optional.ofNullable(revision);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
