package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;

/**
 * The extension that tasks are since revision 2026-07-28. Both sides declare it without settings.
 *
 * @spec https://modelcontextprotocol.io/extensions/tasks/overview Tasks extension
 */
public final class TasksExtension {
    /** Its identifier, under which both sides declare it among their extensions. */
    public static final String ID = "io.modelcontextprotocol/tasks";

    /** The capability that its methods need. */
    public static final String CAPABILITY = "extensions." + ID;

    private TasksExtension() {}

    /** Returns whether a client declares it. */
    public static boolean isDeclaredBy(ClientCapabilities client) {
        JsonObject extensions = client.extensions();
        return extensions != null && extensions.get(ID) instanceof JsonObject;
    }

    /** Returns whether a server declares it. */
    public static boolean isDeclaredBy(ServerCapabilities server) {
        JsonObject extensions = server.extensions();
        return extensions != null && extensions.has(ID);
    }

    /** Returns capabilities that declare it as well. */
    public static ServerCapabilities addTo(ServerCapabilities server) {
        JsonObject extensions = server.extensions();
        return server.withExtensions(
                (extensions == null ? JsonObject.EMPTY : extensions).with(ID, JsonObject.EMPTY));
    }
}
