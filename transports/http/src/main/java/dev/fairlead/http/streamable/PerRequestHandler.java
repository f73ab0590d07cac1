package dev.fairlead.http.streamable;

import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.PostRequest;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.endpoint.RequestSource;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.session.HttpSession;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.stream.StreamWriter;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.HeaderMismatch;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.RequestOrigin;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.RunningRequest;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.versioning.RequestMeta;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * Takes the messages that need no session. The body decides which those are; headers are compared
 * with it.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 *     Streamable HTTP
 */
final class PerRequestHandler {
    private final RequestHost host;
    private final EndpointContext context;
    private final PostHandler posts;
    private final boolean alone; // no revision with sessions is served
    private @Nullable OwnerRouting routing; // null: no other node holds calls

    PerRequestHandler(RequestHost host, EndpointContext context, PostHandler posts) {
        this.host = host;
        this.context = context;
        this.posts = posts;
        this.alone =
                context.host().revisions().stream()
                        .noneMatch(revision -> revision.era() == Era.HANDSHAKE);
    }

    /** Set before the first request. */
    void forwardHeldCalls(OwnerRouting others) {
        routing = others;
    }

    /**
     * Answers a POST unless it belongs to a session; returns false, and nothing done, if it does.
     *
     * @throws HttpRefusalException if it is refused before its request is looked at
     */
    boolean takes(PostRequest post) {
        if (post.batch() != null) {
            checkBatch(post);
            return false;
        }
        return switch (post.messages().get(0)) {
            case JsonRpcRequest request when isOurs(request, post) -> {
                take(request, post);
                yield true;
            }
            case JsonRpcNotification notification when isOurs(notification, post) -> {
                post.reply()
                        .empty(202); // it belongs to no session or request that could receive it
                yield true;
            }
            case JsonRpcResponse response when belongsToNoRequest(post) -> throw responseRefused();
            case JsonRpcErrorResponse response when belongsToNoRequest(post) ->
                    throw responseRefused();
            default -> false;
        };
    }

    /**
     * Returns whether a response comes from a client without a session, which the server has asked
     * nothing. One that names a revision with sessions is left to {@link
     * dev.fairlead.http.HttpOptions#stateless}, which ignores it.
     */
    private boolean belongsToNoRequest(PostRequest post) {
        return alone
                || (Reply.sessionId(post.http()).isEmpty()
                        && post.http().header(HttpSession.VERSION).isEmpty());
    }

    private static HttpRefusalException responseRefused() {
        return new HttpRefusalException(
                RefusalReason.SESSION_MISSING,
                "A response belongs to a session, but the header MCP-Session-Id is missing");
    }

    private static void checkBatch(PostRequest post) {
        if (RequestMeta.isAnyClaimed(post.messages())) {
            throw new HttpRefusalException(
                    RefusalReason.BATCH,
                    "Since revision 2026-07-28 each request must come in a POST of its own");
        }
    }

    /** The body decides; the header alone makes no handshake a request without a session. */
    private boolean isOurs(JsonRpcRequest request, PostRequest post) {
        return alone
                || RequestMeta.isClaimed(request.params())
                || (namesSuchARevision(post) && !post.initializes())
                || isProbe(request, post);
    }

    private boolean isOurs(JsonRpcNotification notification, PostRequest post) {
        return alone
                || RequestMeta.isClaimed(notification.params())
                || Reply.sessionId(post.http()).isEmpty();
    }

    /**
     * Returns whether a client sends {@code server/discover} without naming a revision, so that its
     * revision does not have that request.
     */
    private boolean isProbe(JsonRpcRequest request, PostRequest post) {
        return !alone
                && request.method().equals(Methods.DISCOVER.name())
                && !RequestMeta.isClaimed(request.params())
                && !namesSuchARevision(post)
                && Reply.sessionId(post.http()).isEmpty();
    }

    static boolean namesSuchARevision(PostRequest post) {
        return post.http()
                .header(HttpSession.VERSION)
                .flatMap(version -> Revision.of(version.strip()))
                .filter(revision -> revision.era() == Era.PER_REQUEST)
                .isPresent();
    }

    /** Returns whether a server without sessions gets a request that needs one. */
    private boolean belongsToASession(JsonRpcRequest request, PostRequest post) {
        return alone
                && !RequestMeta.isClaimed(request.params())
                && !request.method().equals(Methods.DISCOVER.name())
                && (post.initializes() || !namesSuchARevision(post));
    }

    /** Returns whether a revision without sessions is served. */
    static boolean isServed(String claimed, SessionHost host) {
        return Revision.of(claimed)
                .filter(revision -> revision.era() == Era.PER_REQUEST)
                .filter(host.revisions()::contains)
                .isPresent();
    }

    /**
     * Checks {@code _meta}, the header of the revision, the revision and the other headers in this
     * order; the first check that fails answers.
     */
    private void take(JsonRpcRequest request, PostRequest post) {
        post.reply().perRequest();
        if (belongsToASession(request, post)) {
            refuse(post, request, host.unsupported(requested(request, post)));
            return;
        }
        if (isProbe(request, post)) {
            JsonRpcError unknown = RequestMeta.unclaimed(request.method()).error();
            post.reply().refused(404, new JsonRpcErrorResponse(request.id(), unknown));
            return;
        }
        RequestMeta meta;
        try {
            meta = RequestMeta.read(request.params());
        } catch (JsonRpcException e) {
            boolean isNew = RequestMeta.isClaimed(request.params());
            refuse(post, request, isNew ? e.error() : ofOlderBody(e.error(), post));
            return;
        }
        Optional<String> version = HeaderCheck.versionMismatch(meta, post.http());
        if (version.isPresent()) {
            refuse(post, request, HeaderMismatch.error(version.get()));
            return;
        }
        if (!isServed(meta.protocolVersion(), context.host())) {
            refuse(post, request, host.unsupported(meta.protocolVersion()));
            return;
        }
        Optional<String> target = HeaderCheck.targetMismatch(request, post.http());
        if (target.isPresent()) {
            refuse(post, request, HeaderMismatch.error(target.get()));
            return;
        }
        var site = new WithoutSession(post, request, meta);
        Runnable here = () -> posts.answer(post, post.source(), site, posts.kind(post, false));
        if (routing == null || !routing.forwardHeldCall(post, request, here)) {
            here.run();
        }
    }

    /** Adds to the error of a request that its header alone names a revision without sessions. */
    private static JsonRpcError ofOlderBody(JsonRpcError missing, PostRequest post) {
        Optional<String> named = post.http().header(HttpSession.VERSION);
        return named.isEmpty()
                ? missing
                : new JsonRpcError(
                        missing.code(),
                        missing.message()
                                + ", but the header "
                                + HttpSession.VERSION
                                + " is "
                                + Printable.excerpt(named.get().strip())
                                + "; in a session it names the revision that initialize agreed on",
                        missing.data());
    }

    private RequestOrigin origin(RequestSource source) {
        long node = routing == null ? 0 : routing.node();
        return new RequestOrigin(source.owner(), source.caller(), "http", node);
    }

    /**
     * Returns the revision of a request that belongs to a session: the version in {@code
     * initialize}, or else the header; empty if it names none.
     */
    private static String requested(JsonRpcRequest request, PostRequest post) {
        RawJson params = post.initializes() ? request.params() : null;
        RawJson version = params == null ? null : params.member("protocolVersion");
        return version != null && version.value() instanceof JsonString date
                ? date.value()
                : post.http().header(HttpSession.VERSION).map(String::strip).orElse("");
    }

    private static void refuse(PostRequest post, JsonRpcRequest request, JsonRpcError error) {
        post.reply().refused(400, new JsonRpcErrorResponse(request.id(), error));
    }

    /** A request that ends with its client. */
    private final class WithoutSession implements PostExchange.Site {
        private final PostRequest post;
        private final JsonRpcRequest request;
        private final RequestMeta meta;
        private @Nullable RunningRequest running; // guarded by this
        private @Nullable String cancelled; // the reason; guarded by this
        private boolean draining; // guarded by this

        WithoutSession(PostRequest post, JsonRpcRequest request, RequestMeta meta) {
            this.post = post;
            this.request = request;
            this.meta = meta;
        }

        @Override
        public void accept(PostExchange exchange) {
            try {
                post.http().onLeft(exchange::left);
                host.accept(request, meta, origin(post.source()), exchange, this::runs);
            } catch (RuntimeException | Error e) { // else it would keep its place
                exchange.ended(request.id());
                throw e;
            }
        }

        private void runs(RunningRequest request) {
            String reason;
            boolean ends;
            synchronized (this) {
                running = request;
                reason = cancelled;
                ends = draining;
            }
            if (reason != null) {
                request.cancel(reason);
            }
            if (ends) {
                request.endIfStanding();
            }
        }

        @Override
        public void draining() {
            RunningRequest request;
            synchronized (this) {
                draining = true;
                request = running;
            }
            if (request != null) {
                request.endIfStanding();
            }
        }

        @Override
        public boolean endsWithClient() {
            return true;
        }

        @Override
        public void cancel(List<RequestId> requests, String reason) {
            RunningRequest request;
            synchronized (this) {
                cancelled = reason;
                request = running;
            }
            if (request != null) {
                request.cancel(reason);
            }
        }

        @Override
        public EventStream stream(boolean resumable) {
            return EventStream.unstored(context.settings().streamBuffer);
        }

        @Override
        public void connect(EventStream stream, Reply reply) {
            StreamWriter writer = reply.connectProbing(context.writers(), stream);
            stream.open(writer);
            writer.greet();
        }

        @Override
        public void answered(PostExchange exchange, @Nullable EventStream stream) {
            context.open().remove(exchange);
        }
    }
}
