package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;

/** The tasks extension since revision 2026-07-28. Both sides declare it without settings. */
public final class TasksExtension {
    /** The identifier, under which both sides declare it among their extensions. */
    public static final String ID = "io.modelcontextprotocol/tasks";

    /** The capability of its methods. */
    public static final String CAPABILITY = "extensions." + ID;

    private TasksExtension() {}

    /** Returns whether a client declares it. */
    public static boolean isDeclaredBy(ClientCapabilities client) {
        return client.hasExtension(ID);
    }

    /** Returns whether a server declares it. */
    public static boolean isDeclaredBy(ServerCapabilities server) {
        return server.hasExtension(ID);
    }

    /** Returns whether a server refuses a request because its client does not declare it. */
    public static boolean isMissingIn(JsonRpcException refusal) {
        return refusal.code() == McpErrorCode.MISSING_CLIENT_CAPABILITY
                && refusal.data() instanceof JsonObject data
                && data.get("requiredCapabilities") instanceof JsonObject required
                && required.get("extensions") instanceof JsonObject extensions
                && extensions.has(ID);
    }

    /** Returns capabilities that declare it as well. */
    public static ServerCapabilities addTo(ServerCapabilities server) {
        JsonObject extensions = server.extensions();
        return server.withExtensions(
                (extensions == null ? JsonObject.EMPTY : extensions).with(ID, JsonObject.EMPTY));
    }
}
