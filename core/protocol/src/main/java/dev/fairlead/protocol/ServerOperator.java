package dev.fairlead.protocol;

import dev.fairlead.protocol.base.Implementation;

import org.jspecify.annotations.Nullable;

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
     * observe, and return soon.
     */
    Observation observe(Interceptor observer);

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
     * @param running whether its handler is alive on this node, also after its end
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
            boolean running,
            long run,
            @Nullable Double progress,
            String question,
            String job,
            Instant created,
            Instant updated,
            Instant expires) {}

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
        /** Removes it; requests under way are still observed to their end. */
        @Override
        void close();
    }
}
