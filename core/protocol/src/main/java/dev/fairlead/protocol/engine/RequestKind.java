package dev.fairlead.protocol.engine;

import dev.fairlead.protocol.Methods;

import java.util.Set;

/** Classifies a running request of the peer. Each kind has limits of its own. */
public enum RequestKind {
    /** Runs code of users, such as a call of a tool. */
    CALL,

    /**
     * Waits for the end of a task, or listens to changes: {@code tasks/result}, {@code
     * subscriptions/listen}.
     */
    WAIT,

    /**
     * A short request that starts a session, checks the peer or ends running requests: {@code
     * initialize}, {@code ping} and {@code tasks/cancel}.
     */
    CONTROL;

    private static final Set<String> CONTROLS =
            Set.of(Methods.INITIALIZE.name(), Methods.PING.name(), Methods.CANCEL_TASK.name());

    /** Returns the kind of a request by its method. */
    public static RequestKind of(String method) {
        if (method.equals(Methods.GET_TASK_PAYLOAD.name())
                || method.equals(Methods.LISTEN.name())) {
            return WAIT;
        }
        return CONTROLS.contains(method) ? CONTROL : CALL;
    }
}
