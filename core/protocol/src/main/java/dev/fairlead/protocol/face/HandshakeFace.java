package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.NotificationParams;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.handshake.CapabilityFlags;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.InitializeResult;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tools.CallToolResult;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The face of a revision that begins with {@code initialize}.
 *
 * <p>The newest revision is written straight from the records. For an older one each record is
 * first converted to a form that the revision has; see {@link Downgrade}.
 */
public final class HandshakeFace extends WireFace {
    private static final Map<Revision, HandshakeFace> FACES = new EnumMap<>(Revision.class);

    static {
        for (Revision revision : Revision.withHandshake()) {
            FACES.put(revision, new HandshakeFace(revision, Omissions.SHARED));
        }
    }

    private final Downgrade downgrade;

    private HandshakeFace(Revision revision, Omissions omissions) {
        super(revision, omissions);
        this.downgrade = new Downgrade(revision);
    }

    /** Returns the face of a revision. */
    public static HandshakeFace of(Revision revision) {
        HandshakeFace face = FACES.get(revision);
        if (face == null) {
            throw new IllegalArgumentException("no handshake in revision " + revision);
        }
        return face;
    }

    @Override
    public HandshakeFace reporting(Omissions omissions) {
        return new HandshakeFace(revision, omissions);
    }

    @Override
    public Optional<String> capability(Method<?, ?> method) {
        boolean undeclared =
                method.equals(Methods.COMPLETE) && !revision.isAtLeast(Revision.V2025_03_26);
        return undeclared ? Optional.empty() : Optional.ofNullable(method.capability());
    }

    private boolean hasTasks() {
        return revision.isAtLeast(Revision.V2025_11_25);
    }

    @Override
    public <P extends RequestParams> Received<P> readParams(
            Method<P, ?> method, @Nullable RawJson params) {
        return hasTasks() ? received(method, params) : readPlainParams(method, params);
    }

    @Override
    public <P extends RequestParams> Received<P> readPlainParams(
            Method<P, ?> method, @Nullable RawJson params) {
        if (!TaskAugmentation.isPossible(method)) {
            return received(method, params);
        }
        Received<P> received = receivedPlain(method, params);
        return new Received<>(
                method.params().cast(TaskAugmentation.without(received.params())),
                received.progressToken());
    }

    /**
     * Reads parameters again without {@code task} if that member may be the cause of the failure.
     */
    private <P extends RequestParams> Received<P> receivedPlain(
            Method<P, ?> method, @Nullable RawJson params) {
        try {
            return received(method, params);
        } catch (JsonRpcException e) {
            RawJson plain = TaskAugmentation.without(params);
            if (Objects.equals(plain, params)) {
                throw e;
            }
            return received(method, plain);
        }
    }

    private <P extends RequestParams> Received<P> received(
            Method<P, ?> method, @Nullable RawJson params) {
        P received = bind(method, params == null ? RawJson.EMPTY_OBJECT : params);
        JsonObject meta = received.meta();
        JsonValue token = meta == null ? null : meta.get(MetaKey.PROGRESS_TOKEN);
        if (meta == null || token == null) {
            return new Received<>(received, null);
        }
        JsonObject rest = meta.without(MetaKey.PROGRESS_TOKEN);
        return new Received<>(
                method.params().cast(received.withMeta(rest.isEmpty() ? null : rest)),
                progressToken(token));
    }

    private static @Nullable ProgressToken progressToken(JsonValue token) {
        if (token instanceof JsonNull) {
            return null;
        }
        try {
            return new ProgressToken(token);
        } catch (IllegalArgumentException e) {
            throw JsonRpcException.invalidParams(
                    "Invalid params: _meta.progressToken must be a string or an integer");
        }
    }

    private <P extends RequestParams> P bind(Method<P, ?> method, RawJson params) {
        try {
            P bound =
                    method.equals(Methods.INITIALIZE)
                            ? handshake(method.params(), "the request " + method, params, omissions)
                            : Conversation.read(method, params, omissions);
            Conversation.check(bound);
            return bound;
        } catch (JsonBindingException e) {
            throw JsonRpcException.invalidParams("Invalid params: " + describe(e.violations()));
        } catch (JsonException | IllegalArgumentException e) {
            throw JsonRpcException.invalidParams("Invalid params: " + e.getMessage());
        }
    }

    /** Reads the parameters or the result of {@code initialize}. */
    private static <T> T handshake(Class<T> type, String what, RawJson json, Omissions omissions) {
        try {
            return JsonCodec.of(type).read(json);
        } catch (JsonBindingException e) {
            String info = type == InitializeResult.class ? "serverInfo" : "clientInfo";
            return omissions
                    .tolerant(type, what)
                    .read(CapabilityFlags.named(CapabilityFlags.normalize(json), info));
        }
    }

    /**
     * Returns the first violation and the number of the others: a message is one short sentence.
     */
    static String describe(List<JsonViolation> violations) {
        String first = violations.get(0).toString();
        return violations.size() == 1
                ? first
                : first + " (and " + (violations.size() - 1) + " more)";
    }

    @Override
    public <P extends RequestParams> @Nullable RawJson writeParams(
            Method<P, ?> method, P params, @Nullable ProgressToken token) {
        require(method);
        if (token == null && params.equals(EmptyParams.EMPTY)) {
            return null;
        }
        Conversation.check(params);
        RequestParams sent = downgrade.params(params);
        if (token != null) {
            JsonObject meta = sent.meta() == null ? JsonObject.EMPTY : sent.meta();
            sent = sent.withMeta(meta.with(MetaKey.PROGRESS_TOKEN, token.value()));
        }
        RawJson written = JsonCodec.of(method.params()).write(method.params().cast(sent));
        return downgrade.paramsOnWire(sent, written);
    }

    @Override
    public <R extends Result> R readResult(Method<?, R> method, RawJson result) {
        Result read = Downgrade.received(readAs(method.result(), method, result, omissions));
        if (read instanceof CallToolResult tool
                && tool.content().isEmpty()
                && tool.otherMembers().has(TaskAugmentation.TASK)) { // no result, but a task
            throw new InvalidResultException(
                    "The result of " + method.name() + " is invalid: content is missing", null);
        }
        return method.result().cast(read);
    }

    @Override
    public <R extends Result> Outcome<R> readOutcome(Method<?, R> method, RawJson result) {
        return hasTasks() && TaskAugmentation.isCreated(result)
                ? new Outcome.TaskCreated<>(
                        readAs(CreateTaskResult.class, method, result, omissions))
                : Outcome.complete(readResult(method, result));
    }

    static <T> T readAs(Class<T> type, Method<?, ?> method, RawJson result, Omissions omissions) {
        String what = "the result of " + method.name();
        try {
            return method.equals(Methods.INITIALIZE)
                    ? handshake(type, what, result, omissions)
                    : omissions.tolerant(type, what).read(result);
        } catch (JsonBindingException e) {
            throw invalid(method, e);
        } catch (JsonException e) {
            throw new InvalidResultException(
                    "The result of " + method.name() + " is invalid: " + e.getMessage(), e);
        }
    }

    static InvalidResultException invalid(Method<?, ?> method, JsonBindingException cause) {
        return new InvalidResultException(
                "The result of " + method.name() + " is invalid: " + describe(cause.violations()),
                cause);
    }

    @Override
    public <R extends Result> RawJson writeResult(Method<?, R> method, R result) {
        return JsonCodec.of(method.result()).write(method.result().cast(downgrade.result(result)));
    }

    @Override
    public JsonWriter beginResult(int expected) {
        return new JsonWriter(expected).beginObject();
    }

    @Override
    public @Nullable RawJson structuredContent(RawJson content) {
        return revision.isAtLeast(Revision.V2025_06_18) ? StructuredOutput.wrap(content) : null;
    }

    @Override
    public <R extends Result> RawJson writeOutcome(Method<?, R> method, Outcome<R> outcome) {
        if (outcome instanceof Outcome.Complete<R> complete) {
            return writeResult(method, complete.result());
        }
        if (outcome instanceof Outcome.TaskCreated<R> created && hasTasks()) {
            return JsonCodec.of(CreateTaskResult.class).write(created.task());
        }
        throw new IllegalStateException(
                method
                        + (outcome instanceof Outcome.TaskCreated
                                ? " became a task"
                                : " needs input")
                        + ", which revision "
                        + revision
                        + " cannot say");
    }

    @Override
    public <P extends NotificationParams> @Nullable RawJson writeNotification(
            Notification<P> notification, P params) {
        require(notification);
        if (params.equals(EmptyParams.EMPTY)) {
            return null;
        }
        return JsonCodec.of(notification.params())
                .write(notification.params().cast(downgrade.notification(params)));
    }

    @Override
    public JsonRpcError error(JsonRpcError error) {
        boolean unknown =
                error.code() == McpErrorCode.URL_ELICITATION_REQUIRED
                        && !revision.isAtLeast(Revision.V2025_11_25);
        return unknown
                ? new JsonRpcError(ErrorCode.INTERNAL_ERROR, error.message(), error.data())
                : error;
    }

    @Override
    public Optional<RequestRefusedException> refusal(CapabilityException missing) {
        return Optional.empty();
    }

    @Override
    public ClientCapabilities limit(ClientCapabilities capabilities) {
        return downgrade.capabilities().of(capabilities);
    }

    @Override
    public ServerCapabilities limit(ServerCapabilities capabilities) {
        return downgrade.capabilities().of(capabilities);
    }
}
