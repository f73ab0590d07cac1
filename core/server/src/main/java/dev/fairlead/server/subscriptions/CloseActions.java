package dev.fairlead.server.subscriptions;

import java.util.ArrayList;
import java.util.List;

/** Actions after the end of a stream, each on a thread of its own. Thread-safe. */
final class CloseActions {
    private final List<Runnable> actions = new ArrayList<>(0); // guarded by this
    private boolean ended; // guarded by this

    /** Adds an action, or runs it if the stream has ended. */
    void add(Runnable action) {
        synchronized (this) {
            if (!ended) {
                actions.add(action);
                return;
            }
        }
        start(action);
    }

    /** Ends the stream; does nothing when called again. */
    void run() {
        List<Runnable> due;
        synchronized (this) {
            ended = true;
            due = List.copyOf(actions);
            actions.clear();
        }
        due.forEach(CloseActions::start);
    }

    private static void start(Runnable action) {
        Thread.ofVirtual().name("mcp-listen-closed").start(action);
    }
}
