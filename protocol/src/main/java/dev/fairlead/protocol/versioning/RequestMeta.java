package dev.fairlead.protocol.versioning;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a request says of its client by itself ({@code _meta}), since revision 2026-07-28.
 *
 * @param protocolVersion the revision that it is written in, which may be unknown
 * @param capabilities what the client can do
 * @param client which program it is; null where the request does not say so
 * @param logLevel the least severe log messages that are wanted; null where none are
 * @param progressToken the token under which progress is wanted; null where none is
 * @param rest what is attached beside the protocol, such as a trace context
 * @param invalid what is wrong with the log level or the progress token; null where nothing is
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

    /**
     * Returns whether parameters name a revision, of whatever type and value: then the request is
     * one without a handshake.
     */
    public static boolean isClaimed(@Nullable RawJson params) {
        try {
            return params != null && params.member(META, MetaKey.PROTOCOL_VERSION) != null;
        } catch (JsonException e) { // whoever reads the parameters refuses them
            return false;
        }
    }

    /** Returns the name of the revision that parameters name; empty without one that is a text. */
    public static Optional<String> claimed(@Nullable RawJson params) {
        try {
            RawJson version = params == null ? null : params.member(META, MetaKey.PROTOCOL_VERSION);
            return version != null && version.value() instanceof JsonString date
                    ? Optional.of(date.value())
                    : Optional.empty();
        } catch (JsonException e) { // the reader of the parameters refuses them
            return Optional.empty();
        }
    }

    /**
     * Returns the {@code _meta} that every request of a client has.
     *
     * @param protocolVersion the name of the revision
     * @param client null if the client does not name itself
     * @param logLevel the least severe log messages that are wanted; null for none
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
     * Reads the {@code _meta} of parameters.
     *
     * @throws JsonRpcException {@code -32602} if the version or the capabilities are missing or
     *     malformed; the message names the member
     */
    public static RequestMeta read(@Nullable RawJson params) {
        JsonObject meta = meta(params);
        Map<String, JsonValue> rest = new LinkedHashMap<>(meta.members());
        JsonValue version =
                required(MetaKey.PROTOCOL_VERSION, rest.remove(MetaKey.PROTOCOL_VERSION));
        JsonValue able =
                required(MetaKey.CLIENT_CAPABILITIES, rest.remove(MetaKey.CLIENT_CAPABILITIES));
        if (!(version instanceof JsonString date)) {
            throw malformed(MetaKey.PROTOCOL_VERSION + " must be a string");
        }
        ClientCapabilities capabilities = capabilities(able);
        Implementation client = readOrNull(CLIENT, rest.remove(MetaKey.CLIENT_INFO));
        JsonValue level = rest.remove(MetaKey.LOG_LEVEL);
        LoggingLevel logLevel = readOrNull(LEVEL, level);
        JsonValue token = rest.remove(MetaKey.PROGRESS_TOKEN);
        ProgressToken progressToken = token(token);
        return new RequestMeta(
                date.value(),
                capabilities,
                client,
                logLevel,
                progressToken,
                rest.isEmpty() ? JsonObject.EMPTY : new JsonObject(rest),
                invalid(level != null && logLevel == null, token != null && progressToken == null));
    }

    private static JsonObject meta(@Nullable RawJson params) {
        JsonValue meta;
        try {
            RawJson raw = params == null ? null : params.member(META);
            meta = raw == null ? JsonObject.EMPTY : raw.value();
        } catch (JsonException e) {
            throw JsonRpcException.invalidParams("Invalid params: " + e.getMessage());
        }
        if (meta instanceof JsonObject object) {
            return object;
        }
        throw JsonRpcException.invalidParams("Invalid params: _meta must be an object");
    }

    private static JsonValue required(String key, @Nullable JsonValue value) {
        if (value == null) {
            throw malformed(key + " is missing");
        }
        return value;
    }

    private static ClientCapabilities capabilities(JsonValue value) {
        try {
            return CAPABILITIES.read(value);
        } catch (JsonBindingException e) {
            throw malformed(MetaKey.CLIENT_CAPABILITIES + ": " + e.violations().get(0));
        }
    }

    private static <T> @Nullable T readOrNull(JsonCodec<T> codec, @Nullable JsonValue value) {
        try {
            return value == null ? null : codec.read(value);
        } catch (JsonBindingException e) {
            return null;
        }
    }

    private static @Nullable ProgressToken token(@Nullable JsonValue value) {
        try {
            return value == null ? null : new ProgressToken(value);
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
