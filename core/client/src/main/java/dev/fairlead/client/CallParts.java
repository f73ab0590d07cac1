package dev.fairlead.client;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.protocol.engine.Omissions;

/** The parts of a client that its calls use. */
interface CallParts {
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
