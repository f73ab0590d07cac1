package dev.fairlead.client.calls;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.LinkContext;
import dev.fairlead.client.link.Links;
import dev.fairlead.client.link.ToolDefinitions;
import dev.fairlead.client.tasks.ServerTasks;

/** The parts of a client that its calls use. */
public record CallParts(
        LinkContext context, Links links, RequestPipeline pipeline, ServerTasks tasks) {
    public ClientSettings settings() {
        return context.settings();
    }

    public ToolDefinitions tools() {
        return context.tools();
    }

    /** Returns the options of a call that begins now, if it has not begun yet. */
    public CallOptions begun(CallOptions options) {
        return options.begun(context.timers());
    }
}
