package dev.fairlead.protocol.engine;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.versioning.RequestMeta;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks every message that this side sends against the schema of the revision in force, if the
 * system property {@code fairlead.wire.schemas} names a folder with the schemas of the
 * specification, as it does when the tests of this project run in its continuous integration: the
 * build puts these classes on the class path of the tests of each module. A message that breaks its
 * schema does not go out: its sender gets an {@link IllegalStateException}, or, in place of a
 * response, the peer gets an error that names the violation.
 */
final class WireCheck implements WireTap.Tapped {
    private static final System.Logger LOGGER = System.getLogger(WireCheck.class.getName());

    /** The revision that defines how the claim of an unknown one is refused. */
    private static final Revision WITH_REFUSALS = Revision.V2026_07_28;

    private final WireSchemas schemas;
    private final SessionContext context;
    private final Map<RequestId, Asked> asked = new ConcurrentHashMap<>(); // by the peer
    private volatile @Nullable RequestId greeting; // of this side
    private volatile @Nullable Revision revision;

    WireCheck(WireSchemas schemas, SessionContext context) {
        this.schemas = schemas;
        this.context = context;
        this.revision = context.assumedRevision().orElse(null);
    }

    /**
     * A request of the peer.
     *
     * @param forTask whether it asks for a task
     * @param claims whether it names a revision itself
     * @param claimed that revision; null for that of the session, or if it is unknown
     */
    private record Asked(
            String method, boolean forTask, boolean claims, @Nullable Revision claimed) {
        static Asked of(JsonRpcRequest request) {
            return new Asked(
                    request.method(),
                    has(request.params(), "task"),
                    RequestMeta.isClaimed(request.params()),
                    claimed(request.params()));
        }

        /** The revision of an error that answers it; null for that of the session. */
        @Nullable Revision ofErrors() {
            return claims && claimed == null ? WITH_REFUSALS : claimed;
        }

        private static @Nullable Revision claimed(@Nullable RawJson params) {
            if (!RequestMeta.isClaimed(params)) {
                return null;
            }
            try {
                return Revision.of(RequestMeta.read(params).protocolVersion())
                        .filter(revision -> revision.era() == Era.PER_REQUEST)
                        .orElse(null);
            } catch (JsonRpcException e) { // the peer gets an error for it
                return null;
            }
        }

        /** Returns whether an answer says that a task was created. */
        boolean isCreatedTask(RawJson result) {
            return claimed == null && forTask && has(result, "task");
        }

        private static boolean has(@Nullable RawJson json, String member) {
            try {
                return json != null
                        && json.value() instanceof JsonObject object
                        && object.has(member);
            } catch (JsonException e) {
                return false; // such as a member that is there twice; the peer gets an error for it
            }
        }
    }

    /** The check of all connections; found by {@link WireTap}. */
    public static final class OfAll extends WireTap {
        private final WireSchemas schemas =
                WireSchemas.in(Path.of(System.getProperty("fairlead.wire.schemas")));

        @Override
        protected Tapped tap(SessionContext context) {
            return new WireCheck(schemas, context);
        }

        @Override
        protected JsonRpcErrorResponse checkedRefusal(JsonRpcErrorResponse response) {
            return WireCheck.refusal(schemas, response);
        }
    }

    @Override
    public Exchange received(JsonRpcMessage message, Exchange exchange) {
        Revision claimed = null;
        switch (message) {
            case JsonRpcRequest request -> {
                Asked peers = Asked.of(request);
                asked.put(request.id(), peers);
                claimed = peers.claimed();
            }
            case JsonRpcResponse response when response.id().equals(greeting) ->
                    agree(response.result());
            default -> {}
        }
        return new CheckedExchange(exchange, claimed);
    }

    private void agree(RawJson result) {
        if (result.value() instanceof JsonObject object && object.has("protocolVersion")) {
            revision = Revision.of(object.string("protocolVersion")).orElse(null);
        }
    }

    private JsonRpcMessage checked(JsonRpcMessage message) {
        return checked(message, null);
    }

    /**
     * @param claimed the revision of the request that the message belongs to; null for that of the
     *     session
     */
    private JsonRpcMessage checked(JsonRpcMessage message, @Nullable Revision claimed) {
        return switch (message) {
            case JsonRpcRequest request -> {
                if (request.method().equals("initialize")) {
                    greeting = request.id();
                }
                yield legal(request.method(), message, claimed);
            }
            case JsonRpcNotification notification -> legal(notification.method(), message, claimed);
            case JsonRpcResponse response -> legalOrError(response);
            case JsonRpcErrorResponse error -> legalOrOther(error);
            case Batch batch -> batch;
        };
    }

    private JsonRpcErrorResponse legalOrOther(JsonRpcErrorResponse error) {
        Asked request = error.id() == null ? null : asked.remove(error.id());
        if (request == null) {
            return error;
        }
        Revision claimed = request.ofErrors();
        Revision agreed = claimed == null ? revision : claimed;
        return agreed == null ? error : legalOrOther(schemas, agreed, error);
    }

    private static JsonRpcErrorResponse legalOrOther(
            WireSchemas schemas, Revision agreed, JsonRpcErrorResponse error) {
        int code = error.error().code();
        List<JsonViolation> wrong = schemas.error(agreed, code, JsonValue.parse(error.toJson()));
        return wrong.isEmpty()
                ? error
                : internalError(error.id(), complaint("the error " + code, agreed, wrong));
    }

    private static JsonRpcErrorResponse internalError(@Nullable RequestId id, String message) {
        return new JsonRpcErrorResponse(id, new JsonRpcError(ErrorCode.INTERNAL_ERROR, message));
    }

    static JsonRpcErrorResponse refusal(WireSchemas schemas, JsonRpcErrorResponse response) {
        return legalOrOther(schemas, WITH_REFUSALS, response);
    }

    private JsonRpcMessage legal(
            String method, JsonRpcMessage message, @Nullable Revision claimed) {
        Revision agreed = claimed == null ? revision : claimed;
        if (agreed != null) {
            JsonValue json = JsonValue.parse(message.toJson());
            List<JsonViolation> wrong = schemas.message(agreed, json);
            wrong = wrong.isEmpty() ? schemas.call(agreed, method, json) : wrong;
            if (!wrong.isEmpty()) {
                throw new IllegalStateException(complaint(method, agreed, wrong));
            }
        }
        return message;
    }

    private JsonRpcMessage legalOrError(JsonRpcResponse response) {
        Asked request = asked.remove(response.id());
        if (request == null) {
            return response;
        }
        String method = request.method();
        if (method.equals("initialize")) {
            agree(response.result());
        }
        Revision agreed = request.claimed() == null ? revision : request.claimed();
        if (agreed == null) {
            return response;
        }
        JsonValue result = response.result().value();
        List<JsonViolation> wrong =
                request.isCreatedTask(response.result())
                        ? schemas.createdTask(agreed, result)
                        : schemas.result(agreed, method, result);
        return wrong.isEmpty()
                ? response
                : internalError(response.id(), complaint("the result of " + method, agreed, wrong));
    }

    private static String complaint(String what, Revision revision, List<JsonViolation> wrong) {
        String text = what + " breaks the schema of " + revision + ": " + wrong;
        LOGGER.log(Level.ERROR, text);
        return text;
    }

    @Override
    public void send(JsonRpcMessage message) {
        context.send(checked(message));
    }

    @Override
    public void send(JsonRpcMessage message, Map<String, String> headers) {
        context.send(checked(message), headers);
    }

    @Override
    public boolean call(
            JsonRpcRequest request, Map<String, String> headers, boolean passesProgress) {
        return context.call((JsonRpcRequest) checked(request), headers, passesProgress);
    }

    @Override
    public boolean cancel(RequestId request) {
        return context.cancel(request);
    }

    @Override
    public boolean isReachable() {
        return context.isReachable();
    }

    @Override
    public void checkReachable() {
        context.checkReachable();
    }

    @Override
    public boolean hasHeaders() {
        return context.hasHeaders();
    }

    @Override
    public boolean carries(Era era) {
        return context.carries(era);
    }

    @Override
    public Caller caller() {
        return context.caller();
    }

    @Override
    public Object peerKey() {
        return context.peerKey();
    }

    @Override
    public Owner owner() {
        return context.owner();
    }

    @Override
    public String transport() {
        return context.transport();
    }

    @Override
    public Optional<Revision> assumedRevision() {
        return context.assumedRevision();
    }

    @Override
    public void close() {
        context.close();
    }

    /** An exchange of the transport, with the check in front. */
    private final class CheckedExchange extends ForwardingExchange {
        private final @Nullable Revision claimed;

        CheckedExchange(Exchange exchange, @Nullable Revision claimed) {
            super(exchange);
            this.claimed = claimed;
        }

        @Override
        public void send(JsonRpcMessage message) {
            super.send(checked(message, claimed));
        }

        @Override
        public void refuse(JsonRpcErrorResponse response, RequestRefusedException.Kind kind) {
            super.refuse(legalOrOther(response), kind);
        }

        @Override
        public void abandon(RequestId request) {
            asked.remove(request);
            super.abandon(request);
        }

        @Override
        public void respondEarly(JsonRpcMessage response) {
            super.respondEarly(checked(response, claimed));
        }
    }
}
