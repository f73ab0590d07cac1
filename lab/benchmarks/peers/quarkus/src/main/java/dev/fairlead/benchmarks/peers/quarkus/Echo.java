package dev.fairlead.benchmarks.peers.quarkus;

import io.quarkiverse.mcp.server.Tool;
import io.quarkiverse.mcp.server.ToolArg;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.common.annotation.RunOnVirtualThread;

/** A tool that returns its input, on each kind of thread that Quarkus runs tools on. */
public class Echo {
    /** On the event loop, where nothing may block: as fast as it gets. */
    @NonBlocking
    @Tool(name = "echo", description = "Gives back its text")
    String onTheEventLoop(@ToolArg(description = "What to give back") String text) {
        return text;
    }

    /** On a thread of a pool, as a tool runs that says nothing. */
    @Tool(name = "echo-blocking", description = "Gives back its text")
    String onAWorker(@ToolArg(description = "What to give back") String text) {
        return text;
    }

    /** On a virtual thread, as ours. */
    @RunOnVirtualThread
    @Tool(name = "echo-virtual", description = "Gives back its text")
    String onAVirtualThread(@ToolArg(description = "What to give back") String text) {
        return text;
    }
}
