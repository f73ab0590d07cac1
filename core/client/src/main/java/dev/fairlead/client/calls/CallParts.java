package dev.fairlead.client.calls;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.link.CallOptions;
import dev.fairlead.client.link.Links;
import dev.fairlead.client.link.ResponseCache;
import dev.fairlead.client.link.ToolDefinitions;
import dev.fairlead.client.tasks.ServerTasks;
import dev.fairlead.protocol.engine.Omissions;

/** The parts of a client that its calls use. */
public interface CallParts {
    ClientSettings settings();

    Links links();

    RequestPipeline pipeline();

    ServerTasks tasks();

    ToolDefinitions tools();

    ResponseCache cache();

    /** Returns the log of the faults of the server. */
    Omissions omissions();

    /** Returns the identity of the server for the limit of log lines. */
    Object peer();

    /** Returns the options of a call that begins now, if it has not begun yet. */
    CallOptions begun(CallOptions options);
}
