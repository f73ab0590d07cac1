package dev.fairlead.server.subscriptions;

import dev.fairlead.protocol.time.LimitedLog;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** Actions after the end of a session or stream, each on a thread of its own. Thread-safe. */
public final class CloseActions {
    private static final System.Logger LOGGER = System.getLogger(CloseActions.class.getName());

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

    /** Runs an action of the author on a thread of its own; logs its failure. */
    public static void start(Runnable action) {
        Thread.ofVirtual().name("mcp-end-action").start(() -> run(action));
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LimitedLog.failed(
                    LOGGER, Level.ERROR, "", e, "An action at the end of a session failed");
        }
    }
}
