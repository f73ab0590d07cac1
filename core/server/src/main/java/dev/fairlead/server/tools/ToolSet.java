package dev.fairlead.server.tools;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.pagination.Catalog;
import dev.fairlead.server.pagination.ServerSource;

import org.jspecify.annotations.Nullable;

/** The tools of a server at one moment, immutable. */
public record ToolSet(
        Catalog<ServerTool> tools,
        Catalog<ServerSource<Tool, CallToolRequest, CallToolResult>> sources) {
    /** Returns the declared tool of a name, or null. Sources are not searched. */
    public @Nullable ServerTool find(String name) {
        return tools.find(name);
    }

    /** Returns the declared tool of a name that a caller may see, or null. */
    @Nullable ServerTool find(String name, Caller caller) {
        return tools.find(name, caller);
    }

    public boolean isEmpty() {
        return tools.isEmpty() && sources.isEmpty();
    }

    /** Returns whether a tool can be called as a task. */
    public boolean hasTaskTools() {
        return tools.entries().stream()
                .anyMatch(entry -> entry.feature().task().support() != TaskSupport.FORBIDDEN);
    }
}
