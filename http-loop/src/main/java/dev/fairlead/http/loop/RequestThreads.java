package dev.fairlead.http.loop;

import dev.fairlead.protocol.relay.HandlerThread;

/** Decides where a request is handled: each on a virtual thread of its own. */
final class RequestThreads {
    void run(Runnable task) {
        HandlerThread.start("mcp-http", task);
    }
}
