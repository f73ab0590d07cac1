package dev.fairlead.protocol.headers;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.HeaderText;
import dev.fairlead.protocol.base.MetaKey;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The HTTP headers that repeat members of the body of a request, so that proxies need not read it.
 * {@link ParameterHeaders} repeat arguments of a tool.
 *
 * @spec
 *     https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
 *     Standard request headers
 */
public final class MirroredHeaders {
    /** Repeats the revision of the request. */
    public static final String VERSION = "MCP-Protocol-Version";

    /** Repeats the method. */
    public static final String METHOD = "Mcp-Method";

    /** Repeats the target of the request: a tool, a prompt, a resource or a task. */
    public static final String NAME = "Mcp-Name";

    /** The member of the parameters that {@link #NAME} repeats, by method. */
    private static final Map<String, String> NAMES =
            Map.of(
                    "tools/call", "name",
                    "prompts/get", "name",
                    "resources/read", "uri",
                    "tasks/get", "taskId",
                    "tasks/update", "taskId",
                    "tasks/cancel", "taskId");

    private static final String META = "_meta";

    private MirroredHeaders() {}

    /** Returns the member of the parameters that {@link #NAME} repeats; empty for none. */
    public static Optional<String> nameMember(String method) {
        return Optional.ofNullable(NAMES.get(method));
    }

    /** Returns the value of {@link #NAME}; null for none, and if the body has no text there. */
    public static @Nullable String name(JsonRpcRequest request) {
        RawJson params = request.params();
        String member = NAMES.get(request.method());
        if (member == null || params == null) {
            return null;
        }
        RawJson name = params.member(member);
        return name == null ? null : name.string();
    }

    /**
     * Returns the headers of a request, by name; empty if it does not name its revision, as in a
     * session, and for malformed parameters, which the receiver refuses.
     */
    public static Optional<Map<String, String>> of(JsonRpcRequest request) {
        try {
            return read(request);
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    private static Optional<Map<String, String>> read(JsonRpcRequest request) {
        RawJson params = request.params();
        RawJson version = params == null ? null : params.member(META, MetaKey.PROTOCOL_VERSION);
        if (version == null) {
            return Optional.empty();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(METHOD, request.method());
        String name = name(request);
        if (name != null) {
            headers.put(NAME, HeaderText.encode(name));
        }
        String date = version.string();
        if (date != null) {
            headers.put(VERSION, date);
        }
        return Optional.of(headers);
    }
}
