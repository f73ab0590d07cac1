package dev.fairlead.client.calls;

import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.LinkContext;
import dev.fairlead.client.link.Links;
import dev.fairlead.client.link.OngoingCall;
import dev.fairlead.client.link.ResponseCache;
import dev.fairlead.client.link.RetryPolicy;
import dev.fairlead.client.link.Round;
import dev.fairlead.client.link.ServerLink;
import dev.fairlead.client.tasks.ServerTasks;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Sends requests to the server: runs the interceptors, then uses the session, or a new one if the
 * server no longer has it. Sends again after the user has visited the pages that the server
 * requires.
 */
public record RequestPipeline(LinkContext context, Links links, PageVisits visits)
        implements ServerTasks.Sender {
    private static final System.Logger LOGGER = System.getLogger(RequestPipeline.class.getName());

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    @Override
    public <P extends RequestParams, R extends Result> R call(
            Method<P, R> method, P params, @Nullable Duration patience)
            throws InterruptedException {
        CallOptions options =
                patience == null ? context.defaults() : new CallOptions(patience, FOREVER);
        return call(method, params, options);
    }

    /** Sends a request of the protocol, also once more after pages were visited. */
    public <P extends RequestParams, R extends Result> R call(
            Method<P, R> method, P params, CallOptions given) throws InterruptedException {
        CallOptions options = given.begun(context.timers());
        try {
            return send(method, params, options);
        } catch (UrlElicitationRequiredException required) {
            visits.visit(required, options);
        }
        return send(method, params, options);
    }

    private static CallOptions uncached(CallOptions options) {
        return options.with(copy -> copy.cache = ResponseCache.Use.NONE);
    }

    /** Makes sure that the server answers. */
    public void ping(CallOptions options) throws InterruptedException {
        call(links.current().pingMethod(), EmptyParams.EMPTY, uncached(options));
    }

    /** The same for the client itself: without interceptors, and not repeated if it is lost. */
    public void keepAlive(Duration limit) throws InterruptedException {
        CallOptions options = new CallOptions(limit, limit).begun(context.timers());
        on(
                links.current(),
                Methods.PING.name(),
                options,
                link -> link.call(link.pingMethod(), EmptyParams.EMPTY, uncached(options)));
    }

    /**
     * Sends a request of the protocol without handling required pages.
     *
     * @param options of a call that has begun
     */
    public <P extends RequestParams, R extends Result> R send(
            Method<P, R> method, P params, CallOptions options) throws InterruptedException {
        if (context.settings().outbound.isEmpty()) {
            try {
                return send(links.current(), method, params, options);
            } catch (JsonRpcException e) {
                throw typed(e);
            }
        }
        return InterceptorChain.result(
                method.name(),
                intercepted(
                        method.name(),
                        params,
                        method.result(),
                        (link, call, outbound) -> {
                            P seen = method.params().cast(call.params());
                            return Outcome.complete(
                                    send(link, method, seen, outbound.counting(options)));
                        }));
    }

    /** Sends a request that the interceptors have seen. */
    @FunctionalInterface
    interface Sent<R> {
        Outcome<R> by(ServerLink link, MethodCall call, OutboundContext outbound)
                throws InterruptedException;
    }

    <R> Outcome<R> intercepted(String method, Object params, Class<R> result, Sent<R> sent)
            throws InterruptedException {
        return intercepted(method, params, result, Round.FIRST, sent);
    }

    private <R> Outcome<R> intercepted(
            String method, Object params, Class<R> result, Round round, Sent<R> sent)
            throws InterruptedException {
        try {
            ServerLink link = links.current();
            OutboundContext outbound = new OutboundContext(link);
            outbound.begin(round.number() + 1);
            return InterceptorChain.runUnchecked(
                    context.settings().outbound,
                    new InterceptedCall(method, params, false, outbound),
                    result,
                    call -> sent.by(link, call, outbound));
        } catch (JsonRpcException e) {
            throw typed(e);
        }
    }

    private <P extends RequestParams, R extends Result> R send(
            ServerLink link, Method<P, R> method, P params, CallOptions options)
            throws InterruptedException {
        try {
            return link.call(method, params, options);
        } catch (CallException e) {
            return linkAfter(e, link, method.name(), options).call(method, params, options);
        }
    }

    /** Sends one round of a request of the protocol, whose questions the caller gets. */
    public <P extends RequestParams, R extends Result> Outcome<R> round(
            Method<P, R> method, P params, Round round, CallOptions given)
            throws InterruptedException {
        CallOptions options = given.begun(context.timers());
        return intercepted(
                method.name(),
                params,
                method.result(),
                round,
                (link, call, outbound) -> {
                    P seen = method.params().cast(call.params());
                    return round(link, method, seen, round, options);
                });
    }

    private <P extends RequestParams, R extends Result> Outcome<R> round(
            ServerLink link, Method<P, R> method, P params, Round round, CallOptions options)
            throws InterruptedException {
        return round.isFirst()
                ? on(
                        link,
                        method.name(),
                        options,
                        usable -> usable.round(method, params, round, options))
                : link.round(method, params, round, options); // no other server can continue it
    }

    /** A request that only needs a link to be sent by. */
    @FunctionalInterface
    interface Sending<R> {
        R by(ServerLink link) throws InterruptedException;
    }

    /** Sends a request, and sends it again as {@link RetryPolicy#afterRequest} decides. */
    <R> R on(ServerLink link, String method, CallOptions options, Sending<R> sending)
            throws InterruptedException {
        try {
            return sending.by(link);
        } catch (CallException e) {
            return sending.by(linkAfter(e, link, method, options));
        }
    }

    /**
     * Returns the link by which a request that failed is sent once more.
     *
     * @throws CallException the failure, if it is not sent again
     */
    private ServerLink linkAfter(
            CallException failure, ServerLink link, String method, CallOptions options)
            throws InterruptedException {
        OngoingCall call = options.ongoing();
        boolean survives = link.isReplaceable() && !link.hasEnded();
        return switch (RetryPolicy.afterRequest(failure, method, call, survives)) {
            case REQUEST -> {
                LOGGER.log(
                        Level.DEBUG,
                        "A request is sent once more: {0}",
                        Printable.excerpt(failure.getMessage()));
                options.repeated();
                yield link;
            }
            case REQUEST_BY_NEW_LINK -> {
                ServerLink fresh = call.counted(() -> newLink(link, failure));
                options.repeated();
                yield fresh;
            }
            case NOTHING_BUT_NEW_LINK -> {
                CallException explained = explained(link, failure);
                call.counted(() -> newLink(link, explained));
                throw explained;
            }
            case NOTHING, ROUND, ROUND_WITH_NEW_HEADERS -> throw failure;
        };
    }

    private ServerLink newLink(ServerLink link, CallException failure) throws InterruptedException {
        if (failure instanceof SessionExpiredException expired) {
            return links.renew(link, expired);
        }
        try {
            return links.renew(link, new SessionExpiredException(failure.getMessage()));
        } catch (CallException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    /** Adds the reason to an error that shows that the server no longer speaks the revision. */
    private static CallException explained(ServerLink link, CallException failure) {
        if (!(failure instanceof JsonRpcException refusal)) {
            return failure;
        }
        String message =
                refusal.getMessage()
                        + "; the server no longer speaks revision "
                        + link.face().revision().date()
                        + ", so the next request uses a new connection";
        JsonRpcError error = new JsonRpcError(refusal.code(), message, refusal.data());
        JsonRpcException explained = new JsonRpcException(error, refusal);
        return refusal.answeredRequest().map(explained::answering).orElse(explained);
    }

    /** Sends any request as it is, also once more after pages were visited. */
    public JsonObject callRaw(String method, JsonObject params, CallOptions given)
            throws InterruptedException {
        CallOptions options = given.begun(context.timers());
        try {
            return sendRaw(method, params, options);
        } catch (UrlElicitationRequiredException required) {
            visits.visit(required, options);
        }
        return sendRaw(method, params, options);
    }

    private JsonObject sendRaw(String method, JsonObject params, CallOptions options)
            throws InterruptedException {
        return InterceptorChain.result(
                method,
                intercepted(
                        method,
                        params,
                        JsonObject.class,
                        (link, call, outbound) -> {
                            JsonObject seen = (JsonObject) call.params();
                            CallOptions counted = outbound.counting(options);
                            Sending<JsonObject> sending =
                                    usable -> usable.callRaw(method, seen, counted);
                            return Outcome.complete(on(link, method, options, sending));
                        }));
    }

    /** Has the person visit pages, as {@link PageVisits#visit}. */
    public void visit(UrlElicitationRequiredException required, CallOptions options)
            throws InterruptedException {
        visits.visit(required, options);
    }

    /** Returns the exception class that carries the pages or scopes that an error lists. */
    public static JsonRpcException typed(JsonRpcException error) {
        if (error instanceof UrlElicitationRequiredException
                || error instanceof InsufficientScopeException) {
            return error;
        }
        return UrlElicitationRequiredException.of(error)
                .<JsonRpcException>map(pages -> pages)
                .or(() -> InsufficientScopeException.of(error))
                .map(found -> error.answeredRequest().map(found::answering).orElse(found))
                .orElse(error);
    }
}
