package dev.fairlead.cli;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

/** The tools of a server, requested when they are first needed and at most once per call. */
final class ListedTools {
    private final ClientRequests server;
    private @Nullable JsonObject list;

    ListedTools(ClientRequests server) {
        this.server = server;
    }

    /** Returns the result of {@code tools/list} with the tools of all pages. */
    JsonObject list() throws InterruptedException {
        JsonObject known = list;
        if (known == null) {
            known = Lists.all(server, "tools/list", "tools");
            list = known;
        }
        return known;
    }

    /**
     * Returns the definition of a tool.
     *
     * @throws JsonRpcException as a server refuses a call of a tool that it does not list
     */
    JsonObject one(String name) throws InterruptedException {
        for (JsonValue listed : list().array("tools").elements()) {
            if (listed instanceof JsonObject definition
                    && JsonValue.of(name).equals(definition.get("name"))) {
                return definition;
            }
        }
        JsonRpcException unknown =
                new JsonRpcException(ErrorCode.INVALID_PARAMS, "Unknown tool: " + name);
        throw UnknownNameException.of(unknown, this::list, "tools", name);
    }
}
