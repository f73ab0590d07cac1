package dev.fairlead.protocol.versioning;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonReader;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.RepeatedTexts;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.handshake.CapabilityFlags;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The description of the client in a request ({@code _meta}), since revision 2026-07-28.
 *
 * @param protocolVersion the revision that it is written in, which may be unknown
 * @param capabilities the capabilities of the client
 * @param client the program of the client; null if the request does not name it
 * @param logLevel the least severe level of wanted log messages; null for none
 * @param progressToken the token for progress; null for none
 * @param rest additional metadata, such as a trace context
 * @param invalid the error in the log level or the progress token; null for none
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning Versioning
 */
public record RequestMeta(
        String protocolVersion,
        ClientCapabilities capabilities,
        @Nullable Implementation client,
        @Nullable LoggingLevel logLevel,
        @Nullable ProgressToken progressToken,
        JsonObject rest,
        @Nullable String invalid) {
    /** The member of the parameters. */
    private static final String META = "_meta";

    private static final JsonCodec<ClientCapabilities> CAPABILITIES =
            JsonCodec.of(ClientCapabilities.class);
    private static final JsonCodec<Implementation> CLIENT = JsonCodec.of(Implementation.class);
    private static final JsonCodec<LoggingLevel> LEVEL = JsonCodec.of(LoggingLevel.class);

    /** The latest descriptions of clients: a client sends the same with each request. */
    private static final RepeatedTexts<RequestMeta> LATELY = new RepeatedTexts<>();

    private static final RawJson NULL = RawJson.parse("null");

    /** The members that are absent where they are null. */
    private static final Set<String> OPTIONAL =
            Set.of(MetaKey.CLIENT_INFO, MetaKey.LOG_LEVEL, MetaKey.PROGRESS_TOKEN);

    private static final Set<String> KNOWN =
            Set.of(
                    MetaKey.PROTOCOL_VERSION,
                    MetaKey.CLIENT_CAPABILITIES,
                    MetaKey.CLIENT_INFO,
                    MetaKey.LOG_LEVEL,
                    MetaKey.PROGRESS_TOKEN);

    /**
     * Returns whether parameters name a revision, with a value of any type: then the request is one
     * without a handshake.
     */
    public static boolean isClaimed(@Nullable RawJson params) {
        try {
            RawJson meta = params == null ? null : params.member(META);
            return meta != null
                    && (LATELY.find(meta) != null || meta.member(MetaKey.PROTOCOL_VERSION) != null);
        } catch (JsonException e) { // reading the parameters reports the error
            return false;
        }
    }

    /**
     * Returns whether parameters are those of a request that continues a call: they name a
     * revision, and have the state that the server sent with its questions.
     */
    public static boolean isContinued(@Nullable RawJson params) {
        try {
            return params != null
                    && params.member(PerRequestFace.REQUEST_STATE) != null
                    && isClaimed(params);
        } catch (JsonException e) { // reading the parameters reports the error
            return false;
        }
    }

    /**
     * Returns the error of a request without a revision whose method exists only since 2026-07-28:
     * it belongs to an older revision, which does not have the method.
     */
    public static JsonRpcException unclaimed(String method) {
        return new JsonRpcException(
                ErrorCode.METHOD_NOT_FOUND,
                "Method not found: "
                        + method
                        + " is of revision 2026-07-28, but the request has no "
                        + META
                        + "."
                        + MetaKey.PROTOCOL_VERSION);
    }

    /** Returns whether one of the messages of a batch is a request that names a revision. */
    public static boolean isAnyClaimed(List<JsonRpcMessage> messages) {
        return messages.stream()
                .anyMatch(
                        message ->
                                message instanceof JsonRpcRequest request
                                        && isClaimed(request.params()));
    }

    /**
     * Returns the {@code _meta} that every request of a client has.
     *
     * @param protocolVersion the name of the revision
     * @param client the program of the client; null if it is not named
     * @param logLevel the least severe level of wanted log messages; null for none
     */
    public static JsonObject write(
            String protocolVersion,
            ClientCapabilities capabilities,
            @Nullable Implementation client,
            @Nullable LoggingLevel logLevel) {
        JsonObject meta =
                JsonObject.of(
                        MetaKey.PROTOCOL_VERSION,
                        protocolVersion,
                        MetaKey.CLIENT_CAPABILITIES,
                        CAPABILITIES.toValue(capabilities));
        if (client != null) {
            meta = meta.with(MetaKey.CLIENT_INFO, CLIENT.toValue(client));
        }
        return logLevel == null ? meta : meta.with(MetaKey.LOG_LEVEL, LEVEL.toValue(logLevel));
    }

    /**
     * Reads the {@code _meta} of parameters if they name a revision; empty if they do not.
     *
     * @throws JsonRpcException as {@link #read}
     */
    public static Optional<RequestMeta> readIfClaimed(@Nullable RawJson params) {
        RequestMeta known = params == null ? null : known(params);
        if (known != null) { // the usual case
            return Optional.of(known);
        }
        return isClaimed(params) ? Optional.of(read(params)) : Optional.empty();
    }

    private static @Nullable RequestMeta known(RawJson params) {
        try {
            RawJson meta = params.member(META);
            return meta == null ? null : LATELY.find(meta);
        } catch (JsonException e) { // read() reports it
            return null;
        }
    }

    /**
     * Reads the {@code _meta} of parameters.
     *
     * @throws JsonRpcException {@code -32602} if the version or the capabilities are missing or
     *     malformed; the message names the member
     */
    public static RequestMeta read(@Nullable RawJson params) {
        try {
            RawJson meta = params == null ? null : params.member(META);
            if (meta == null) {
                throw missing(MetaKey.PROTOCOL_VERSION);
            }
            if (!meta.isObject()) {
                throw JsonRpcException.invalidParams("Invalid params: _meta must be an object");
            }
            RequestMeta known = LATELY.find(meta);
            if (known != null) {
                return known;
            }
            RequestMeta read = new Members(meta).read();
            if (read.isOfTheClient()) {
                LATELY.keep(meta, read);
            }
            return read;
        } catch (JsonException e) {
            throw JsonRpcException.invalidParams("Invalid params: " + e.getMessage());
        }
    }

    /** The members of {@code _meta}, sorted in one pass. */
    private static final class Members {
        private final Map<String, RawJson> known = new HashMap<>();
        private final Map<String, JsonValue> rest = new LinkedHashMap<>();

        Members(RawJson meta) {
            try (JsonReader reader = meta.reader()) {
                reader.beginObject();
                for (String name = reader.nextName(); name != null; name = reader.nextName()) {
                    Object before =
                            KNOWN.contains(name)
                                    ? known.put(name, reader.raw())
                                    : rest.put(name, reader.value());
                    if (before != null) {
                        throw new JsonException("an object has two members named " + name);
                    }
                }
            }
            for (String name : OPTIONAL) {
                known.remove(name, NULL);
            }
        }

        RequestMeta read() {
            RawJson version = required(MetaKey.PROTOCOL_VERSION);
            RawJson able = required(MetaKey.CLIENT_CAPABILITIES);
            String date = version.string();
            if (date == null) {
                throw malformed(MetaKey.PROTOCOL_VERSION + " must be a string");
            }
            RawJson level = known.get(MetaKey.LOG_LEVEL);
            LoggingLevel logLevel = readOrNull(LEVEL, level);
            RawJson token = known.get(MetaKey.PROGRESS_TOKEN);
            ProgressToken progressToken = token == null ? null : token(token.value());
            return new RequestMeta(
                    date,
                    capabilities(able),
                    readOrNull(CLIENT.tolerant(RequestMeta::pass), known.get(MetaKey.CLIENT_INFO)),
                    logLevel,
                    progressToken,
                    rest.isEmpty() ? JsonObject.EMPTY : new JsonObject(rest),
                    invalid(
                            level != null && logLevel == null,
                            token != null && progressToken == null));
        }

        private RawJson required(String key) {
            RawJson value = known.get(key);
            if (value == null) {
                throw missing(key);
            }
            return value;
        }
    }

    private static JsonRpcException missing(String key) {
        return malformed(key + " is missing");
    }

    /** Ignores violations: each request repeats them, so they are not logged. */
    private static void pass(List<JsonViolation> first, int all) {}

    /** Reads them as {@code initialize} does, whose handshake has the same member. */
    private static ClientCapabilities capabilities(RawJson value) {
        ClientCapabilities read = readOrNull(CAPABILITIES, value);
        try {
            return read != null
                    ? read
                    : CAPABILITIES
                            .tolerant(RequestMeta::pass)
                            .read(CapabilityFlags.capabilities(value));
        } catch (JsonBindingException e) {
            throw malformed(MetaKey.CLIENT_CAPABILITIES + ": " + e.violations().get(0));
        }
    }

    private static <T> @Nullable T readOrNull(JsonCodec<T> codec, @Nullable RawJson value) {
        try {
            return value == null ? null : codec.read(value);
        } catch (JsonBindingException e) {
            return null;
        }
    }

    private static @Nullable ProgressToken token(JsonValue value) {
        try {
            return new ProgressToken(value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable String invalid(boolean level, boolean token) {
        if (level) {
            return MetaKey.LOG_LEVEL + " must be a level of log messages such as warning";
        }
        return token ? MetaKey.PROGRESS_TOKEN + " must be a string or an integer" : null;
    }

    /**
     * Returns whether nothing in it is about this one request, so that the client may repeat it
     * all.
     */
    boolean isOfTheClient() {
        return progressToken == null && rest.isEmpty() && invalid == null;
    }

    /**
     * Checks the members that a request can do without.
     *
     * @throws JsonRpcException {@code -32602} if one of them is malformed; the message names it
     */
    public void requireValid() {
        if (invalid != null) {
            throw malformed(invalid);
        }
    }

    private static JsonRpcException malformed(String what) {
        return JsonRpcException.invalidParams("Invalid params: _meta." + what);
    }
}
