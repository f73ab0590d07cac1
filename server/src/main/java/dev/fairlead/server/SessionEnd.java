package dev.fairlead.server;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** What is to be done when a session ends. */
final class SessionEnd {
    private static final System.Logger LOGGER = System.getLogger(SessionEnd.class.getName());

    private @Nullable List<Runnable> actions = new ArrayList<>(1); // null: it has ended

    /** Runs an action at the end, or now. */
    void add(Runnable action) {
        synchronized (this) {
            if (actions != null) {
                actions.add(action);
                return;
            }
        }
        start(action);
    }

    /** The session has ended. May be called more than once. */
    void end() {
        takeAll().forEach(SessionEnd::start);
    }

    private synchronized List<Runnable> takeAll() {
        List<Runnable> due = actions == null ? List.of() : actions;
        actions = null;
        return due;
    }

    private static void start(Runnable action) {
        Thread.ofVirtual().name("mcp-session-end").start(() -> run(action));
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOGGER.log(Level.ERROR, "What was to be done at the end of a session failed", e);
        }
    }
}
