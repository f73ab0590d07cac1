package dev.fairlead.http.loop;

import java.util.concurrent.ThreadFactory;

/** Decides where a request is handled: each on a virtual thread of its own. */
final class RequestThreads {
    private final ThreadFactory threads = Thread.ofVirtual().name("mcp-http").factory();

    void run(Runnable task) {
        threads.newThread(task).start();
    }
}
