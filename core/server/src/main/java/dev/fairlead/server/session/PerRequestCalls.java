package dev.fairlead.server.session;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.peer.AttachedMeta;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.RequestOrigin;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.RunningRequest;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.engine.PeerError;
import dev.fairlead.protocol.engine.PreparedRequest;
import dev.fairlead.protocol.engine.RequestIntake;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.versioning.RequestMeta;
import dev.fairlead.server.call.RequestContext;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.call.ToolTarget;
import dev.fairlead.server.features.RequestTarget;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Answers requests that need no session, over any transport. Each request is judged by itself.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning Versioning
 */
final class PerRequestCalls implements RequestHost {
    private final ServerCore core;
    private final RequestIntake intake;
    private final Map<Revision, PerRequestFace> faces = new EnumMap<>(Revision.class);

    PerRequestCalls(ServerCore core) {
        this.core = core;
        this.intake = new RequestIntake(core.settings().slowRequest);
        for (Revision revision : core.revisions()) {
            core.settings()
                    .revisions
                    .forRequest(revision.date())
                    .ifPresent(
                            served ->
                                    faces.put(
                                            served,
                                            PerRequestFace.of(served)
                                                    .of(core.settings().implementation)));
        }
    }

    @Override
    public void accept(
            JsonRpcRequest request,
            RequestMeta meta,
            RequestOrigin origin,
            Exchange exchange,
            Consumer<RunningRequest> onTaken) {
        intake.accept(
                request,
                exchange,
                origin.transport(),
                (taken, checked) -> prepare(taken, meta, origin, checked),
                onTaken);
    }

    @Override
    public JsonRpcError unsupported(String requested) {
        return core.settings().revisions.refusal(requested).error();
    }

    @Override
    public void awaitContinued(Duration limit) throws InterruptedException {
        core.heldCalls().awaitEnded(limit);
    }

    /**
     * Finds the code that answers a request. While the server closes it still takes the next round
     * of a call.
     *
     * @throws RequestRefusedException if the request is refused before it is processed
     */
    PreparedRequest prepare(
            JsonRpcRequest request, RequestMeta meta, RequestOrigin origin, Exchange exchange) {
        PerRequestFace face = face(meta.protocolVersion());
        if (core.isClosed() && !RequestMeta.isContinued(request.params())) {
            throw RequestRefusedException.closing();
        }
        requireMethod(request.method(), face);
        requireExtension(request.method(), face, meta);
        return RequestTarget.of(
                request,
                core.features(),
                core.methodPaces(),
                core.settings().ownThread,
                (running, target) ->
                        run(running, target, context(face, meta, exchange), origin, meta));
    }

    private PerRequestFace face(String claimed) {
        return core.settings()
                .revisions
                .forRequest(claimed)
                .map(faces::get)
                .orElseThrow(() -> core.settings().revisions.refusal(claimed));
    }

    private void requireMethod(String method, PerRequestFace face) {
        if (face.method(method, Side.SERVER).isPresent()
                ? core.served().offers(method)
                : core.features().methods().find(method) != null) {
            return;
        }
        JsonObject data =
                method.equals(Methods.INITIALIZE.name())
                        ? JsonObject.of("supported", core.settings().revisions.dates())
                        : null;
        throw new RequestRefusedException(
                RequestRefusedException.Kind.UNKNOWN_METHOD,
                new JsonRpcError(
                        ErrorCode.METHOD_NOT_FOUND,
                        JsonRpcException.methodNotFound(method).error().message(),
                        data));
    }

    /**
     * The methods of an extension are for clients that declare it, before anything is looked up.
     */
    private static void requireExtension(String method, PerRequestFace face, RequestMeta meta) {
        boolean isOfExtension =
                face.method(method, Side.SERVER)
                        .map(Method::capability)
                        .filter(TasksExtension.CAPABILITY::equals)
                        .isPresent();
        if (isOfExtension && !TasksExtension.isDeclaredBy(meta.capabilities())) {
            throw face.refusal(CapabilityException.missing(TasksExtension.CAPABILITY, method))
                    .orElseThrow();
        }
    }

    private RequestContext context(PerRequestFace face, RequestMeta meta, Exchange exchange) {
        LoggingLevel wanted = meta.logLevel();
        return new RequestContext(
                face,
                exchange.caller(),
                face.limit(meta.capabilities()),
                meta.client(),
                core.tasks() != null && TasksExtension.isDeclaredBy(meta.capabilities()),
                level -> wanted != null && level.isAtLeast(wanted),
                new AttachedMeta(meta.progressToken(), meta.rest()));
    }

    private RawJson run(
            IncomingRequest request,
            @Nullable ToolTarget target,
            RequestContext client,
            RequestOrigin origin,
            RequestMeta meta)
            throws Exception {
        meta.requireValid();
        RequestChannel channel = new RequestChannel(core, origin, client.capabilities());
        try {
            return core.answer(new ServerCall(channel, client, request, target, true));
        } catch (CapabilityException e) {
            throw client.face().refusal(e).orElseThrow(() -> e);
        } catch (RequestRefusedException e) {
            throw e;
        } catch (JsonRpcException e) {
            throw answered(client.face().error(PeerError.response(e)), e);
        }
    }

    /** A limit that refused the call before its handler ran has a status of its own. */
    private static JsonRpcException answered(JsonRpcError error, JsonRpcException cause) {
        return cause.code() == McpErrorCode.LIMIT_EXCEEDED && RetryableError.isRetryable(error)
                ? new RequestRefusedException(RequestRefusedException.Kind.LIMIT, error)
                : new JsonRpcException(error, cause);
    }
}
