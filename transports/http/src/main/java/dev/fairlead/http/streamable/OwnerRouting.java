package dev.fairlead.http.streamable;

import dev.fairlead.http.endpoint.BodyBudget;
import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.HttpRefusal;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.PostRequest;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.endpoint.RequestFilter;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.exchange.DelegatingHttpExchange;
import dev.fairlead.http.options.Peers;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.peer.Forwarder;
import dev.fairlead.http.peer.NodeReports;
import dev.fairlead.http.peer.PeerEndpoint;
import dev.fairlead.http.peer.PeerKeys;
import dev.fairlead.http.session.HttpSession;
import dev.fairlead.http.session.OwnedElsewhereException;
import dev.fairlead.http.session.RegisteredSession;
import dev.fairlead.http.session.SessionRegistry;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.RoutedState;
import dev.fairlead.protocol.SessionStore;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Has each request in a session answered by the node that owns it, and each further round of a held
 * call by the node that holds it: forwards those of other nodes, and takes those that others
 * forward.
 */
final class OwnerRouting {
    /** How many owners of sessions are remembered, so that a forwarded request needs no look-up. */
    private static final int MAX_OWNERS = 10_000;

    /**
     * A session goes to the node that has forwarded so many requests of it in a row: the balancer
     * sends its client there.
     */
    private static final int GIVEN_AFTER = 64;

    /** The status of a refusal after which nothing has run. */
    private static final int UNAVAILABLE = 503;

    /** The owner of a session of this caller. */
    private record Located(Forwarder.Target owner, Caller caller) {}

    private final EndpointContext context;
    private final SessionRegistry<HttpSession> sessions;
    private final SessionStore.Membership node;
    private final RequestFilter local;
    private final Map<String, RequestFilter.Handler> handlers;
    private final Forwarder forwarder;
    private final PeerEndpoint peers;
    private final NodeReports reports;

    /** The owners of sessions that were used last; guarded by itself. */
    private final Map<String, Located> owners =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Located> eldest) {
                    return size() > MAX_OWNERS;
                }
            };

    /**
     * @param handlers of requests that are answered here, by their methods
     * @throws IllegalStateException if nodes share no keys
     */
    OwnerRouting(
            EndpointContext context,
            Peers options,
            SessionRegistry<HttpSession> sessions,
            SessionStore.Membership node,
            Map<String, RequestFilter.Handler> handlers) {
        this.context = context;
        this.sessions = sessions;
        this.node = node;
        this.handlers = handlers;
        this.local = new RequestFilter(context, handlers);
        if (context.host().peerKeys().isEmpty()) {
            throw new IllegalStateException(
                    "HttpOptions.peers needs keys of request states that all nodes share; set"
                            + " McpServer.Builder.store, or"
                            + " McpServer.Builder.requestState(RequestState.keys(…))");
        }
        PeerKeys keys = new PeerKeys(context.host()::peerKeys);
        Settings settings = context.settings();
        this.forwarder = new Forwarder(node, keys, options.maxForwarded(), context);
        this.reports = new NodeReports(forwarder);
        this.peers =
                new PeerEndpoint(
                        node,
                        keys,
                        settings.path,
                        settings.maxBody,
                        settings.clientTimeout,
                        this::serve);
    }

    List<Route> routes() {
        return peers.routes();
    }

    /** Sets the report of this node for operators at other nodes. */
    void reportToNodes(Supplier<JsonObject> report) {
        peers.report(report);
    }

    /** Asks the other nodes for their reports to operators. */
    List<JsonObject> nodeReports() {
        return reports.ask();
    }

    void announce(String address) {
        node.announce(address);
    }

    /** Returns handlers that forward, and else are these. */
    Map<String, RequestFilter.Handler> forwarding(Map<String, RequestFilter.Handler> here) {
        Map<String, RequestFilter.Handler> forwarding = new LinkedHashMap<>();
        here.forEach((method, handler) -> forwarding.put(method, forwarding(handler)));
        return forwarding;
    }

    private RequestFilter.Handler forwarding(RequestFilter.Handler handler) {
        return (exchange, reply, caller) -> {
            Optional<String> id = Reply.sessionId(exchange);
            boolean inSession =
                    id.isPresent()
                            && !PerRequestHandler.isServed(
                                    exchange.header(HttpSession.VERSION).orElse(""),
                                    context.host());
            Optional<Forwarder.Target> owner =
                    inSession ? known(id.orElseThrow(), exchange, caller) : Optional.empty();
            if (owner.isEmpty()) {
                handler.handle(exchange, reply, caller);
                return;
            }
            context.bodies()
                    .takeUnread(
                            exchange,
                            reply,
                            reply.source(caller),
                            (body, share) ->
                                    forwarder.forward(
                                            owner.get(),
                                            exchange,
                                            caller,
                                            body,
                                            new Site(handler, exchange, reply, caller, share)));
        };
    }

    /**
     * The node that owned a session when its owner was last looked up, or is looked up now; empty
     * if the session is in use here.
     */
    private Optional<Forwarder.Target> known(String id, HttpExchange exchange, Caller caller) {
        Optional<HttpSession> here = sessions.known(id).filter(session -> !session.isRetired());
        if (here.isPresent()) {
            here.get().forwarded(0);
            return Optional.empty(); // its caller is checked where the request is served
        }
        Located located;
        synchronized (owners) {
            located = owners.get(id);
        }
        return located != null && located.caller().isSame(caller)
                ? Optional.of(located.owner())
                : owner(id, exchange, caller);
    }

    private void remember(String id, @Nullable Located located) {
        synchronized (owners) {
            if (located == null) {
                owners.remove(id);
            } else {
                owners.put(id, located);
            }
        }
    }

    /**
     * The node that owns a session; empty if that is this one.
     *
     * @throws HttpRefusalException if there is no such session
     */
    private Optional<Forwarder.Target> owner(String id, HttpExchange exchange, Caller caller) {
        remember(id, null);
        sessions.known(id).ifPresent(RegisteredSession::awaitMoved);
        try {
            sessions.require(id, exchange, caller);
            return Optional.empty();
        } catch (OwnedElsewhereException e) {
            SessionStore.Owner found = e.owner();
            Forwarder.Target owner = new Forwarder.Target(found.node(), found.address(), e.epoch());
            remember(id, e.isFree() ? null : new Located(owner, caller));
            return Optional.of(owner);
        }
    }

    private final class Site implements Forwarder.Site {
        private final RequestFilter.Handler handler;
        private final HttpExchange exchange;
        private final Reply reply;
        private final Caller caller;
        private final BodyBudget.Share share;

        Site(
                RequestFilter.Handler handler,
                HttpExchange exchange,
                Reply reply,
                Caller caller,
                BodyBudget.Share share) {
            this.handler = handler;
            this.exchange = exchange;
            this.reply = reply;
            this.caller = caller;
            this.share = share;
        }

        @Override
        public Optional<Forwarder.Target> owner() {
            String id = Reply.sessionId(exchange).orElseThrow();
            return OwnerRouting.this.owner(id, exchange, caller);
        }

        @Override
        public void lost() {
            Reply.sessionId(exchange).ifPresent(id -> remember(id, null));
        }

        @Override
        public void serveHere(HttpExchange replayed) {
            RequestFilter.guarded(reply, () -> handler.handle(replayed, reply, caller));
        }

        @Override
        public void refuse(HttpRefusalException refusal) {
            reply.refuse(refusal);
        }

        @Override
        public void released() {
            share.release();
        }
    }

    /**
     * Forwards a POST whose session has left this node while the request came, to the node that has
     * it now; refuses a POST for any other reason.
     */
    void forwardOrRefuse(PostRequest post, HttpRefusal refusal) {
        Optional<String> id = Reply.sessionId(post.http());
        boolean moves =
                refusal.equals(OpenExchanges.CLOSED)
                        || refusal.reason() == RefusalReason.OWNER_UNREACHABLE;
        if (!moves || id.isEmpty()) {
            post.refuse(refusal);
            return;
        }
        try {
            Optional<Forwarder.Target> owner = owner(id.get(), post.http(), post.caller());
            if (owner.isEmpty()) {
                post.refuse(refusal);
            } else {
                forward(post, owner.get(), post.toBytes(), site(post));
            }
        } catch (HttpRefusalException e) {
            post.refuse(e.refusal());
        }
    }

    private Site site(PostRequest post) {
        RequestFilter.Handler here = Objects.requireNonNull(handlers.get("POST"));
        return new Site(here, post.http(), post.reply(), post.caller(), post.share());
    }

    private void forward(PostRequest post, Forwarder.Target to, byte[] body, Forwarder.Site site) {
        post.share().keep();
        boolean taken = false;
        try {
            forwarder.forward(to, post.http(), post.caller(), body, site);
            taken = true;
        } finally {
            if (!taken) {
                post.share().release();
            }
        }
    }

    /** Returns the number of this node. */
    long node() {
        return node.node();
    }

    /**
     * Forwards the next round of a call that another node holds.
     *
     * @param here answers it at this node
     * @return false, and nothing done, if it is to be answered here
     * @throws HttpRefusalException if it cannot be forwarded, and nothing was done
     */
    boolean forwardHeldCall(PostRequest post, JsonRpcRequest request, Runnable here) {
        Optional<Forwarder.Target> holder = holder(request);
        if (holder.isEmpty()) {
            return false;
        }
        forward(post, holder.get(), request.toBytes(), new HeldSite(post, request, here));
        return true;
    }

    /** The node that holds a call; empty if that is this one, or the node is dead. */
    private Optional<Forwarder.Target> holder(JsonRpcRequest request) {
        long named = RoutedState.nodeOf(request.params());
        return named == 0 || named == node.node()
                ? Optional.empty()
                : node.living().stream()
                        .filter(living -> living.node() == named)
                        .findFirst()
                        .map(found -> new Forwarder.Target(named, found.address(), Forwarder.HELD));
    }

    /** The next round of a held call, which can also be answered at this node, without the call. */
    private final class HeldSite implements Forwarder.Site {
        private final PostRequest post;
        private final JsonRpcRequest request;
        private final Runnable here;

        HeldSite(PostRequest post, JsonRpcRequest request, Runnable here) {
            this.post = post;
            this.request = request;
            this.here = here;
        }

        @Override
        public Optional<Forwarder.Target> owner() {
            return holder(request);
        }

        @Override
        public void lost() {}

        @Override
        public void serveHere(HttpExchange exchange) {
            RequestFilter.guarded(post.reply(), here);
        }

        @Override
        public void refuse(HttpRefusalException refusal) {
            post.refuse(refusal.refusal());
        }

        @Override
        public void released() {
            post.share().release();
        }
    }

    /** Returns whether a forwarded request without a session continues a call of this node. */
    private boolean isHeldHere(HttpExchange exchange) {
        try {
            byte[] body = exchange.body().readAllBytes();
            return JsonRpcMessage.parse(body) instanceof JsonRpcRequest request
                    && RoutedState.nodeOf(request.params()) == node.node();
        } catch (IOException | MalformedMessageException e) {
            return false;
        }
    }

    private boolean serve(PeerEndpoint.Addressed to, HttpExchange exchange, Caller caller) {
        boolean absent = mayTake(to); // not one that is given away by the next step
        boolean served = to.isHeld() ? isHeldHere(exchange) : absent || isOwn(to, caller);
        if (served) {
            local.handleAdmitted(to.isHeld() ? exchange : new Moving(exchange, to), caller);
        }
        return served;
    }

    /** A request in a session that may be given away before it begins: then it is not ours. */
    private final class Moving extends DelegatingHttpExchange {
        private final PeerEndpoint.Addressed to;

        Moving(HttpExchange exchange, PeerEndpoint.Addressed to) {
            super(exchange);
            this.to = to;
        }

        @Override
        public void respond(ResponseHead head, byte[] body, Runnable done) {
            boolean moved =
                    head.status() == UNAVAILABLE
                            && sessions.known(to.session())
                                    .filter(session -> !session.isRetired())
                                    .isEmpty();
            super.respond(moved ? PeerEndpoint.notMine() : head, moved ? new byte[0] : body, done);
        }
    }

    private boolean isOwn(PeerEndpoint.Addressed to, Caller caller) {
        return sessions.known(to.session())
                .filter(
                        session ->
                                session.epoch() == to.epoch()
                                        && session.caller().isSame(caller)
                                        && !session.isRetired())
                .filter(
                        session ->
                                session.forwarded(to.from()) <= GIVEN_AFTER
                                        || !sessions.giveUnlessBusy(session))
                .isPresent();
    }

    /**
     * Returns whether this node is to look into the store, where no node may own the session, or
     * this one, that no longer has it.
     */
    private boolean mayTake(PeerEndpoint.Addressed to) {
        return sessions.known(to.session()).isEmpty() && !context.open().isClosed();
    }

    void round() {
        forwarder.round();
    }

    void close() {
        forwarder.close();
    }
}
