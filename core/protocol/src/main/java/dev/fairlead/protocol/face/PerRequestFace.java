package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.NotificationParams;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.caching.CacheableResult;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.handshake.CapabilityFlags;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.versioning.RequestMeta;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The face of a revision without a handshake. The records have its shape already; members of the
 * wire alone are added and removed here: {@code resultType}, the name of the server, cache hints,
 * and in requests the reserved {@code _meta} and the members of a retry.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic Messages
 */
public final class PerRequestFace extends WireFace {
    /** The member with the type of the result. */
    static final String RESULT_TYPE = "resultType";

    private static final String COMPLETE = "complete";
    private static final String INPUT_REQUIRED = "input_required";

    private static final String META = "_meta";

    /** The usual size of parameters, and of a task without its result, in bytes. */
    private static final int SIZE_OF_PARAMS = 256;

    private static final String ELICITATION_ID = "elicitationId";

    /** The member of a retry with the answers. */
    public static final String INPUT_RESPONSES = "inputResponses";

    /** The member of a retry with the state. */
    public static final String REQUEST_STATE = "requestState";

    /**
     * The result type of a request that became a task. In parameters it asked for a task in
     * revision 2025-11-25, and has no meaning now.
     */
    private static final String TASK = "task";

    /** The members of parameters that are read apart from the others. */
    private static final List<String> OF_REQUESTS = List.of(META);

    /**
     * The members of parameters of a possible retry that are read apart from the others; {@code
     * tasks/update} is none.
     */
    private static final List<String> OF_RETRIES =
            List.of(META, INPUT_RESPONSES, REQUEST_STATE, TASK);

    /** The members of results that are read and written apart from the others. */
    private static final List<String> OF_RESULTS = List.of(RESULT_TYPE);

    private static final Map<Revision, PerRequestFace> FACES = new HashMap<>();

    static {
        for (Revision revision : Revision.values()) {
            if (revision.era() == Era.PER_REQUEST) {
                FACES.put(revision, new PerRequestFace(revision, null, Omissions.SHARED));
            }
        }
    }

    private final @Nullable Implementation server;
    private final JsonObject self; // the _meta of results; empty for none
    private final RawJson complete; // the members at the start of each complete result
    private final RawJson inputRequired; // the members at the start of each result with questions

    private PerRequestFace(
            Revision revision, @Nullable Implementation server, Omissions omissions) {
        super(revision, omissions);
        this.server = server;
        this.self =
                server == null
                        ? JsonObject.EMPTY
                        : JsonObject.of(
                                MetaKey.SERVER_INFO,
                                JsonCodec.of(Implementation.class).toValue(server));
        this.complete = startOf(COMPLETE);
        this.inputRequired = startOf(INPUT_REQUIRED);
    }

    /** Returns the face of a revision for a side that does not describe itself in results. */
    public static PerRequestFace of(Revision revision) {
        PerRequestFace face = FACES.get(revision);
        if (face == null) {
            throw new IllegalArgumentException(
                    "sessions of revision " + revision + " begin with" + " initialize");
        }
        return face;
    }

    /** Returns the face for a server that describes itself in each result. */
    public PerRequestFace of(Implementation server) {
        return new PerRequestFace(revision, server, omissions);
    }

    @Override
    public PerRequestFace reporting(Omissions omissions) {
        return new PerRequestFace(revision, server, omissions);
    }

    private RawJson start(String resultType) {
        return switch (resultType) {
            case COMPLETE -> complete;
            case INPUT_REQUIRED -> inputRequired;
            default -> startOf(resultType);
        };
    }

    private RawJson startOf(String resultType) {
        JsonObject start = JsonObject.of(RESULT_TYPE, resultType);
        return RawJson.of(self.isEmpty() ? start : start.with(META, self));
    }

    /** {@inheritDoc} A client receives no requests any more. */
    @Override
    public Optional<Method<?, ?>> method(String name, Side receiver) {
        return receiver == Side.SERVER ? super.method(name, receiver) : Optional.empty();
    }

    @Override
    public Optional<String> capability(Method<?, ?> method) {
        return Optional.ofNullable(method.capability());
    }

    // ---- parameters

    @Override
    public <P extends RequestParams> Received<P> readParams(
            Method<P, ?> method, @Nullable RawJson params) {
        RequestMeta meta = RequestMeta.read(params); // fails without parameters
        meta.requireValid();
        return new Received<>(
                bind(method, Objects.requireNonNull(params), meta.rest()), meta.progressToken());
    }

    @Override
    public <P extends RequestParams> Received<P> readPlainParams(
            Method<P, ?> method, @Nullable RawJson params) {
        return readParams(method, params);
    }

    /**
     * @param meta additional metadata
     */
    private static <P extends RequestParams> P bind(
            Method<P, ?> method, RawJson params, JsonObject meta) {
        List<String> apart = method == Methods.UPDATE_TASK ? OF_REQUESTS : OF_RETRIES;
        try {
            P bound = JsonCodec.of(method.params()).readWithout(apart, params);
            if (!meta.isEmpty()) {
                bound = method.params().cast(bound.withMeta(meta));
            }
            Conversation.check(bound);
            return bound;
        } catch (JsonBindingException e) {
            throw JsonRpcException.invalidParams(
                    "Invalid params: " + HandshakeFace.describe(e.violations()));
        } catch (JsonException | IllegalArgumentException e) {
            throw JsonRpcException.invalidParams("Invalid params: " + e.getMessage());
        }
    }

    /** {@inheritDoc} The sender adds the description of its client. */
    @Override
    public <P extends RequestParams> RawJson writeParams(
            Method<P, ?> method, P params, @Nullable ProgressToken token) {
        require(method);
        Conversation.check(params);
        RequestParams sent = params;
        if (token != null) {
            JsonObject meta = params.meta() == null ? JsonObject.EMPTY : params.meta();
            sent = params.withMeta(meta.with(MetaKey.PROGRESS_TOKEN, token.value()));
        }
        return JsonCodec.of(method.params()).write(method.params().cast(sent));
    }

    /**
     * Writes parameters that have no {@code _meta} with this one.
     *
     * @param meta the request's description of its client
     * @throws IllegalArgumentException as for {@link #writeParams(Method, RequestParams,
     *     ProgressToken)}
     */
    public <P extends RequestParams> RawJson writeParams(
            Method<P, ?> method, P params, RawJson meta, @Nullable ProgressToken token) {
        require(method);
        Conversation.check(params);
        JsonWriter writer = new JsonWriter(meta.size() + SIZE_OF_PARAMS).beginObject();
        JsonCodec.of(method.params()).writeMembers(params, writer);
        writer.name(META);
        if (token == null) {
            writer.raw(meta);
        } else {
            writer.beginObject().members(meta);
            writer.name(MetaKey.PROGRESS_TOKEN).value(token.value()).endObject();
        }
        return writer.endObject().finish();
    }

    // ---- results

    @Override
    public <R extends Result> R readResult(Method<?, R> method, RawJson result) {
        Outcome<R> outcome = readOutcome(method, result);
        if (outcome instanceof Outcome.Complete<R> ended) {
            return ended.result();
        }
        String other = outcome instanceof Outcome.TaskCreated ? "a task" : "input_required";
        throw new InvalidResultException(method.name() + " was answered with " + other, null);
    }

    @Override
    public <R extends Result> Outcome<R> readOutcome(Method<?, R> method, RawJson received) {
        RawJson result =
                method == Methods.DISCOVER ? CapabilityFlags.normalize(received) : received;
        R complete = whole(bound(method, () -> readIfComplete(method, result)), method, result);
        if (complete != null) { // the usual case
            return Outcome.complete(complete);
        }
        String type = resultType(method, result);
        return switch (type) {
            case INPUT_REQUIRED ->
                    new Outcome.InputRequired<>( // questions decide, so none is left out
                            bound(
                                    method,
                                    () ->
                                            JsonCodec.of(InputRequiredResult.class)
                                                    .readWithout(OF_RESULTS, result)));
            case TASK ->
                    method == Methods.GET_DETAILED_TASK // by an example of the extension
                            ? Outcome.complete(
                                    whole(read(method.result(), method, result), method, result))
                            : new Outcome.TaskCreated<>(
                                    read(DetailedTask.class, method, result).created());
            default ->
                    throw new InvalidResultException(
                            "The result of " + method.name() + " has the unknown type " + type,
                            null);
        };
    }

    /** Reads a complete result; returns null for another type of result. */
    private <R extends Result> @Nullable R readIfComplete(Method<?, R> method, RawJson result) {
        return tolerant(method.result(), method).readIf(RESULT_TYPE, COMPLETE, result).orElse(null);
    }

    /** Returns whether a result is of the type {@code complete}, which it is without a type too. */
    public static boolean isComplete(JsonObject result) {
        JsonValue type = result.get(RESULT_TYPE);
        return type == null || type instanceof JsonNull || type.equals(new JsonString(COMPLETE));
    }

    private static String resultType(Method<?, ?> method, RawJson result) {
        RawJson type = result.member(RESULT_TYPE);
        if (type != null && type.value() instanceof JsonString text) {
            return text.value();
        }
        throw invalid(method, RESULT_TYPE + " must be a string", null);
    }

    /** Returns a result; refuses a task that waits for questions which cannot be read. */
    private static <R extends @Nullable Result> R whole(
            R read, Method<?, ?> method, RawJson result) {
        if (read instanceof DetailedTask task
                && task.status() == TaskStatus.INPUT_REQUIRED
                && task.inputRequests() == null) {
            try {
                JsonCodec.of(DetailedTask.class).readWithout(OF_RESULTS, result);
            } catch (JsonBindingException e) {
                List<JsonViolation> faults = new ArrayList<>(e.violations());
                faults.removeIf(fault -> !fault.path().startsWith("inputRequests"));
                if (!faults.isEmpty()) {
                    throw invalid(method, HandshakeFace.describe(faults), e);
                }
            }
        }
        return read;
    }

    private <T> T read(Class<T> type, Method<?, ?> method, RawJson result) {
        return bound(method, () -> tolerant(type, method).readWithout(OF_RESULTS, result));
    }

    private <T> JsonCodec<T> tolerant(Class<T> type, Method<?, ?> method) {
        return omissions.tolerant(type, "the result of " + method.name());
    }

    private static <T extends @Nullable Object> T bound(Method<?, ?> method, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (JsonBindingException e) {
            List<JsonViolation> violations = e.violations();
            throw invalid(method, HandshakeFace.describe(violations), e);
        } catch (JsonException | IllegalArgumentException e) {
            throw invalid(method, e.getMessage(), e);
        }
    }

    private static InvalidResultException invalid(
            Method<?, ?> method, @Nullable String what, @Nullable Throwable cause) {
        return new InvalidResultException(
                "The result of " + method.name() + " is invalid: " + what, cause);
    }

    @Override
    public <R extends Result> RawJson writeResult(Method<?, R> method, R result) {
        if (result instanceof DetailedTask task && task.result() != null && isCompleted(task)) {
            return completed(task, task.result());
        }
        Result sent = known(named(result));
        if (sent instanceof CacheableResult cacheable) { // always there and well-formed
            sent = cacheable.withCacheHint(cacheable.cacheHint());
        }
        return write(COMPLETE, method.result(), sent);
    }

    private static boolean isCompleted(DetailedTask task) {
        return task.status() == TaskStatus.COMPLETED
                && task.inputRequests() == null
                && task.error() == null
                && task.meta() == null
                && task.otherMembers().isEmpty();
    }

    /** Writes a task with its result as the codec does, without its reflection. */
    private RawJson completed(DetailedTask task, RawJson result) {
        JsonWriter writer = beginResult(result.size() + SIZE_OF_PARAMS);
        writer.name("taskId").string(task.id().value()).name("status").string("completed");
        if (task.statusMessage() != null) {
            writer.name("statusMessage").string(task.statusMessage());
        }
        writer.name("createdAt").string(task.createdAt().toString());
        writer.name("lastUpdatedAt").string(task.lastUpdatedAt().toString());
        writer.name("ttlMs");
        if (task.ttlMs() == null) {
            writer.nullValue();
        } else {
            writer.number(task.ttlMs());
        }
        if (task.pollIntervalMs() != null) {
            writer.name("pollIntervalMs").number(task.pollIntervalMs());
        }
        return writer.name("result").raw(result).endObject().finish();
    }

    private <T extends Result> RawJson write(String resultType, Class<T> type, Result result) {
        JsonWriter writer = new JsonWriter().beginObject();
        if (result.meta() != null) {
            writer.name(RESULT_TYPE).string(resultType);
        } else {
            writer.members(start(resultType));
        }
        JsonCodec.of(type).writeMembers(type.cast(result), writer, OF_RESULTS);
        return writer.endObject().finish();
    }

    /**
     * Returns the result with the description of the server, if it has a {@code _meta} of its own.
     */
    private Result named(Result result) {
        JsonObject meta = result.meta();
        return meta == null ? result : result.withMeta(self.with(meta));
    }

    /** Returns the result without members that the revision does not have. */
    private static Result known(Result result) {
        return result instanceof ListToolsResult list
                        && list.tools().stream().anyMatch(tool -> tool.execution() != null)
                ? new ListToolsResult(
                        list.tools().stream().map(tool -> tool.withExecution(null)).toList(),
                        list.nextCursor(),
                        list.meta(),
                        list.otherMembers())
                : result;
    }

    @Override
    public JsonWriter beginResult(int expected) {
        return new JsonWriter(complete.size() + expected).beginObject().members(complete);
    }

    @Override
    public RawJson structuredContent(RawJson content) {
        return content;
    }

    @Override
    public <R extends Result> RawJson writeOutcome(Method<?, R> method, Outcome<R> outcome) {
        if (outcome instanceof Outcome.Complete<R> ended) { // the usual case
            return writeResult(method, ended.result());
        }
        if (outcome instanceof Outcome.TaskCreated<R> created) {
            DetailedTask task = DetailedTask.created(created.task());
            return write(TASK, DetailedTask.class, named(task));
        }
        InputRequiredResult input = ((Outcome.InputRequired<R>) outcome).input();
        return write(INPUT_REQUIRED, InputRequiredResult.class, named(input));
    }

    // ---- notifications

    @Override
    public <P extends NotificationParams> @Nullable RawJson writeNotification(
            Notification<P> notification, P params) {
        require(notification);
        return params.equals(EmptyParams.EMPTY)
                ? null
                : JsonCodec.of(notification.params()).write(params);
    }

    // ---- input requests

    /**
     * Returns a request of the server as an entry of {@code input_required}.
     *
     * @throws IllegalArgumentException if the parameters break the protocol
     */
    public static InputRequest inputRequest(Method<?, ?> method, RequestParams params) {
        Conversation.check(params);
        JsonObject written =
                ((JsonObject) write(method, params).value()).without(META, ELICITATION_ID, TASK);
        return new InputRequest(method.name(), written.isEmpty() ? null : written);
    }

    /**
     * Returns the parameters of an entry of {@code input_required}. A page to be visited has no id
     * there, and gets one.
     *
     * @param key the key of the entry, for the message
     * @throws InvalidResultException if they break the protocol
     */
    public static <P extends RequestParams> P inputParams(
            Method<P, ?> method, String key, InputRequest request) {
        JsonObject params = request.params() == null ? JsonObject.EMPTY : request.params();
        boolean page = new JsonString("url").equals(params.get("mode"));
        if (page && !params.has(ELICITATION_ID)) {
            params = params.with(ELICITATION_ID, UUID.randomUUID().toString());
        }
        try {
            P bound = Conversation.read(method, RawJson.of(params), Omissions.SHARED);
            Conversation.check(bound);
            return bound;
        } catch (JsonBindingException e) {
            throw invalidInput(key, method, HandshakeFace.describe(e.violations()), e);
        } catch (IllegalArgumentException e) {
            throw invalidInput(key, method, e.getMessage(), e);
        }
    }

    private static InvalidResultException invalidInput(
            String key, Method<?, ?> method, @Nullable String what, RuntimeException cause) {
        return new InvalidResultException(
                "the input " + key + " that the server needs by " + method + " is invalid: " + what,
                cause);
    }

    private static <P extends RequestParams> RawJson write(
            Method<P, ?> method, RequestParams params) {
        return JsonCodec.of(method.params()).write(method.params().cast(params));
    }

    // ---- errors and capabilities

    /**
     * {@inheritDoc} An unknown resource becomes {@code -32602}, and codes that earlier revisions
     * left to implementations become {@code -32603}.
     */
    @Override
    public JsonRpcError error(JsonRpcError error) {
        int code = error.code();
        if (code == McpErrorCode.RESOURCE_NOT_FOUND) {
            return new JsonRpcError(ErrorCode.INVALID_PARAMS, error.message(), error.data());
        }
        boolean own = code <= -32000 && code > -32020;
        return own || code == McpErrorCode.URL_ELICITATION_REQUIRED
                ? new JsonRpcError(ErrorCode.INTERNAL_ERROR, error.message(), error.data())
                : error;
    }

    @Override
    public Optional<RequestRefusedException> refusal(CapabilityException missing) {
        JsonObject required = JsonObject.EMPTY;
        List<String> path = path(missing.capability());
        for (String step : path.reversed()) {
            required = JsonObject.of(step, required);
        }
        return Optional.of(
                new RequestRefusedException(
                        RequestRefusedException.Kind.INVALID,
                        new JsonRpcError(
                                McpErrorCode.MISSING_CLIENT_CAPABILITY,
                                missing.getMessage(),
                                JsonObject.of("requiredCapabilities", required))));
    }

    /** Returns the path of a capability: the identifier of an extension may contain dots itself. */
    private static List<String> path(String capability) {
        int extension = capability.indexOf('.') + 1;
        return capability.startsWith("extensions.")
                ? List.of("extensions", capability.substring(extension))
                : List.of(capability.split("\\.", -1));
    }

    @Override
    public ClientCapabilities limit(ClientCapabilities capabilities) {
        return capabilities.tasks().isEmpty() ? capabilities : capabilities.withTasks(null);
    }

    /** {@inheritDoc} Tasks are an extension. */
    @Override
    public ServerCapabilities limit(ServerCapabilities capabilities) {
        return capabilities.tasks().isEmpty()
                ? capabilities
                : TasksExtension.addTo(capabilities.withTasks(null));
    }
}
