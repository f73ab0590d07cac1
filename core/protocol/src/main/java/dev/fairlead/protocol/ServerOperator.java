package dev.fairlead.protocol;

import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.Progress;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The access of operators to a server. It reaches the things of all callers, so it must never be
 * given to a client. Thread-safe; not for implementation by users.
 */
public interface ServerOperator {
    /** Returns the name and version that clients receive. */
    Implementation implementation();

    /**
     * Adds an interceptor around every request from now on, outside of all others. It must only
     * observe, and return soon. While there is one, the parameters and the result of each request
     * are read as a whole, which {@link #observeCalls} avoids.
     */
    Observation observe(Interceptor observer);

    /** Returns the requests of clients that handlers answer at the moment, in no order. */
    List<CallStatus> calls();

    /**
     * Adds a listener of the requests of clients from now on, of all callers. It costs little:
     * neither parameters nor results are read for it.
     */
    Observation observeCalls(CallListener listener);

    /**
     * A listener of the requests of clients except {@code initialize} and {@code ping}. Must be
     * thread-safe and return soon: it runs on the thread of the request. An exception is logged.
     */
    interface CallListener {
        /** Called when a request is answered, before the answer is sent. */
        void ended(CallStatus call);

        /** Counts a request as {@link Interceptor#requestRefused} does. */
        default void requestRefused(RequestRefusal request) {}

        /** Counts a request as {@link Interceptor#requestStateRefused} does. */
        default void requestStateRefused(RequestStateRefusal request) {}
    }

    /** The state of a request. */
    enum CallState {
        RUNNING,
        /** Its client does not wait for it any more, but its handler has not ended. */
        CANCELLING,
        COMPLETED,
        /** It ended with an error, or its tool failed. */
        FAILED,
        /** It became a task. */
        TASK,
        /** It was answered with questions to its client. */
        ASKED,
        CANCELLED,
        /** It completed before it could be cancelled. */
        TOO_LATE
    }

    /**
     * A request of a client at one moment, without its parameters and its result. Its texts are as
     * the client sent them, and cut after 160 characters, the error after 300.
     *
     * @param number names the request, also after its end
     * @param method such as {@code tools/call}
     * @param target the tool, the prompt or the resource; empty for none
     * @param client the name of the client; empty if unknown
     * @param caller the caller, for people; empty for an anonymous one
     * @param session the name of its session in logs; empty for none
     * @param transport such as {@code http}
     * @param error code and message of an error, or the name of its class; empty for none
     * @param lasted how long it has run, or ran
     * @param progress the latest progress of a request that runs; null for none
     */
    record CallStatus(
            long number,
            String method,
            String target,
            String client,
            String caller,
            String session,
            String transport,
            CallState state,
            String error,
            Instant began,
            Duration lasted,
            @Nullable Progress progress) {}

    /** Returns the limits of the server in force, by the names of their options. */
    Map<String, String> limits();

    /**
     * Returns the declared features, also those that some callers do not see.
     *
     * @param caller whose view of them is described
     */
    List<FeatureStatus> features(Caller caller);

    /**
     * A feature.
     *
     * @param kind such as {@code tool}
     * @param name the name or URI under which clients use it
     * @param scopes all that its use requires
     * @param hidden whether it is hidden from some callers
     * @param visible whether the caller sees it
     * @param admitted whether the caller may use it
     * @param quick whether its latest runs were quick, so that the reading thread may run it
     */
    record FeatureStatus(
            String kind,
            String name,
            Set<String> scopes,
            boolean hidden,
            boolean visible,
            boolean admitted,
            boolean quick) {}

    /**
     * Returns tasks of all owners and nodes: first open ones, then ended ones, in each group those
     * first that expire last. Blocks while a store is read; empty if the server has no tasks.
     */
    List<TaskStatus> tasks(int limit);

    /**
     * Cancels a task among the {@link #tasks} of that limit, as its requestor does.
     *
     * @param reference that of {@link TaskStatus}
     * @return false if it has ended, or is not among them
     */
    boolean cancelTask(String reference, int limit);

    /**
     * A task.
     *
     * @param reference names the task to operators; not its id, which gives access
     * @param name the item that it runs, such as a tool
     * @param state such as {@code working}
     * @param message the status message; empty for none
     * @param owner the caller whose task it is, for people
     * @param node the node that holds its run; empty where none does
     * @param run how often it was begun
     * @param progress the greatest progress that was stored; null for none
     * @param question the method of the first open question; empty for none
     * @param job the outside job that it is parked on; empty for none
     */
    record TaskStatus(
            String reference,
            String name,
            String state,
            String message,
            String owner,
            String node,
            long run,
            @Nullable Double progress,
            String question,
            String job,
            Instant created,
            Instant updated,
            Instant expires) {}

    /**
     * Returns the references of the tasks whose handlers are alive on this node, also after their
     * end.
     */
    Set<String> runningTasks();

    /**
     * Adds a listener of the acts on tasks of this node from now on, of all callers; never called
     * if the server has no tasks. It runs on the thread of the act, and must return soon.
     */
    Observation observeTasks(Consumer<TaskAct> listener);

    /**
     * An act on a task.
     *
     * @param reference that of {@link TaskStatus}
     * @param kind such as {@code created}
     * @param owner the caller that did it, or whose task it is, for people
     * @param detail more for people; empty for none
     */
    record TaskAct(String reference, String kind, Instant time, String owner, String detail) {}

    /** An interceptor or a listener that was added. */
    interface Observation extends AutoCloseable {
        /** Removes it; an interceptor still observes the requests under way to their end. */
        @Override
        void close();
    }
}
