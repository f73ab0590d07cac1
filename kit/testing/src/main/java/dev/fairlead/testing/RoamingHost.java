package dev.fairlead.testing;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.base.CancelledNotification;
import dev.fairlead.protocol.versioning.RequestMeta;
import dev.fairlead.server.McpServer;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Stands for many servers behind one address: each request is answered by a server of its own.
 * Servers stay open until the connection ends, as other nodes would, so that state in the memory of
 * one of them is still there and out of reach of the next request.
 */
final class RoamingHost implements SessionHost {
    private static final JsonCodec<CancelledNotification> CANCELLED =
            JsonCodec.of(CancelledNotification.class);

    private final Supplier<McpServer> servers;

    /**
     * @param servers called once for each request and for each other message that belongs to none;
     *     it closes the servers that it has made
     */
    RoamingHost(Supplier<McpServer> servers) {
        this.servers = servers;
    }

    @Override
    public Set<Revision> revisions() {
        return Set.of(Revision.V2026_07_28);
    }

    @Override
    public Session open(SessionContext context) {
        return new Roaming(context);
    }

    /** One connection, whose requests go to different servers. */
    private final class Roaming implements Session {
        private final SessionContext context;
        private final Map<RequestId, Session> nodes = new ConcurrentHashMap<>();

        Roaming(SessionContext context) {
            this.context = context;
        }

        @Override
        public void accept(JsonRpcMessage message, Exchange exchange) {
            switch (message) {
                case JsonRpcRequest request -> acceptRequest(request, exchange);
                case JsonRpcNotification cancelled
                        when cancelled.method().equals(Notifications.CANCELLED.name()) -> {
                    Session node = nodeOf(cancelled.params());
                    if (node != null) {
                        node.accept(cancelled, exchange);
                    }
                }
                case JsonRpcNotification own ->
                        servers.get().host().open(context).accept(own, exchange);
                default -> {} // no server sends requests
            }
        }

        private void acceptRequest(JsonRpcRequest request, Exchange exchange) {
            if (RequestMeta.isClaimed(request.params())
                    || request.method().equals(Methods.DISCOVER.name())) {
                Session node = servers.get().host().open(context);
                nodes.put(request.id(), node);
                node.accept(request, exchange);
            } else {
                exchange.send(
                        new JsonRpcErrorResponse(
                                request.id(),
                                JsonRpcException.invalidRequest(
                                                request.method()
                                                        + " needs a session, and there is none"
                                                        + " where each request meets another"
                                                        + " server")
                                        .error()));
            }
        }

        private @Nullable Session nodeOf(@Nullable RawJson params) {
            try {
                return params == null ? null : nodes.get(CANCELLED.read(params).requestId());
            } catch (JsonBindingException
                    | JsonException e) { // malformed, so it belongs to no request
                return null;
            }
        }

        @Override
        public void inputEnded() {
            nodes.values().forEach(Session::inputEnded);
        }

        @Override
        public void fail(RequestId request, CallException cause) {}

        @Override
        public Optional<Revision> revision() {
            return Optional.empty();
        }

        @Override
        public void close() {
            nodes.values().forEach(Session::close);
        }
    }
}
