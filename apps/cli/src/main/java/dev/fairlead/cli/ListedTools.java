package dev.fairlead.cli;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.json.JsonObject;

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
}
