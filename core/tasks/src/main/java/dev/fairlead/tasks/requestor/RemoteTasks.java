package dev.fairlead.tasks.requestor;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.tasks.RelatedTask;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The tasks that were started at one peer, across all sessions with it. Thread-safe. */
public final class RemoteTasks implements AutoCloseable {
    private final TaskPeer peer;
    private final Timers timers;
    private final EarlyHints early;
    private final RecentLooks looks;
    private final Map<TaskId, List<RemoteTask>> watched = new ConcurrentHashMap<>();
    private final Map<ProgressToken, RemoteTask> tokens = new ConcurrentHashMap<>();
    private final Set<TaskId> awaited = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public RemoteTasks(TaskPeer peer, Timers timers) {
        this.peer = peer;
        this.timers = timers;
        this.early = new EarlyHints(timers.clock());
        this.looks = new RecentLooks(timers.clock());
    }

    /** The sending of a request that is to become a task. */
    @FunctionalInterface
    public interface Creation {
        /**
         * Sends the request, and waits for the answer as long as one may come, also if no caller
         * waits any more: the task is cancelled then. The request must not be cancelled itself.
         *
         * @param token receives the token under which progress will come, before the request is
         *     sent; not called without a listener
         * @return the task, or the ordinary result of a peer that creates no task
         */
        Outcome<RawJson> send(Consumer<ProgressToken> token) throws InterruptedException;
    }

    /** The time for which a caller waits for the answer to a creation. */
    public interface Patience {
        /** Returns the time that is left now; asked again when that is over. */
        Duration left();

        /** Returns the whole time, for the message. */
        Duration limit();
    }

    /** Creates a task as {@link #create(Creation, Patience)}, with a limit that nothing extends. */
    public RemoteTask create(Creation creation, Duration limit) throws InterruptedException {
        long started = timers.nanoTime();
        return create(
                creation,
                new Patience() {
                    @Override
                    public Duration left() {
                        return limit.minusNanos(timers.nanoTime() - started);
                    }

                    @Override
                    public Duration limit() {
                        return limit;
                    }
                });
    }

    /**
     * Starts a task, which is not watched yet.
     *
     * @param patience how long to wait for the answer; after that, or after an interrupt, the task
     *     is cancelled as soon as its id is known
     * @throws dev.fairlead.jsonrpc.RequestTimeoutException if it does not come in time
     * @throws RuntimeException as the creation does
     */
    public RemoteTask create(Creation creation, Patience patience) throws InterruptedException {
        RemoteTask task = new RemoteTask(this);
        TaskCreation creating = new TaskCreation(this, task);
        Thread.ofVirtual().name("mcp-task-create").start(() -> creating.run(creation));
        creating.await(patience);
        return task;
    }

    /**
     * Returns a task that was started before, perhaps by another process; it is not watched yet.
     */
    public RemoteTask resume(TaskId id) {
        List<RemoteTask> known = watched.get(id);
        if (known != null) {
            return known.getFirst();
        }
        RemoteTask task = new RemoteTask(this);
        task.named(id);
        looks.find(id).map(RecentLooks.Look::task).ifPresent(task::report);
        return task;
    }

    /** Takes {@code notifications/tasks/status} as a hint. */
    public void status(Task reported) {
        List<RemoteTask> tasks = watched.get(reported.id());
        if (tasks != null) {
            tasks.forEach(task -> task.hint(reported));
            return;
        }
        early.add(reported);
        List<RemoteTask> begun = watched.get(reported.id()); // a watch may have looked just before
        if (begun != null) {
            early.take(reported.id()).ifPresent(hint -> begun.forEach(task -> task.hint(hint)));
        }
    }

    /** Has the watches of a task look at it at once: it may have changed. */
    public void look(TaskId id) {
        watched.getOrDefault(id, List.of()).forEach(RemoteTask::lookNow);
    }

    /**
     * Subscribes to notifications about a task whose next change a watch awaits. Returns at once.
     */
    public void awaitChanges(TaskId id) {
        if (!awaited.contains(id) && watched.containsKey(id) && awaited.add(id)) {
            if (!watched.containsKey(id)) { // it ended meanwhile
                awaited.remove(id);
            }
            peer.awaitedChanged();
        }
    }

    /** Returns the tasks whose changes watches wait for. */
    public Set<TaskId> awaited() {
        return Set.copyOf(awaited);
    }

    /**
     * Takes progress.
     *
     * @return false if it belongs to no known task
     */
    public boolean progressed(ProgressToken token, @Nullable JsonObject meta, Progress progress) {
        List<RemoteTask> related =
                RelatedTask.of(meta)
                        .map(id -> watched.getOrDefault(id, List.of()))
                        .orElse(List.of());
        if (!related.isEmpty()) {
            related.forEach(task -> task.progress(progress));
            return true;
        }
        RemoteTask task = tokens.get(token);
        if (task == null) {
            return false;
        }
        task.progress(progress);
        return true;
    }

    TaskPeer peer() {
        return peer;
    }

    /** Returns the latest answers of the peer about its tasks. */
    RecentLooks looks() {
        return looks;
    }

    Timers timers() {
        return timers;
    }

    void expectProgress(ProgressToken token, RemoteTask task) {
        tokens.put(token, task);
    }

    void watch(TaskId id, RemoteTask task) {
        watched.merge(
                id,
                List.of(task),
                (before, added) -> Stream.concat(before.stream(), added.stream()).toList());
        if (closed) {
            task.fail(closedException());
        }
        early.take(id).ifPresent(task::hint);
    }

    void forget(RemoteTask task) {
        tokens.values().removeIf(known -> known == task); // one for each attempt to create it
        task.id()
                .ifPresent(
                        id ->
                                watched.computeIfPresent(
                                        id,
                                        (same, tasks) -> {
                                            List<RemoteTask> rest =
                                                    tasks.stream()
                                                            .filter(other -> other != task)
                                                            .toList();
                                            return rest.isEmpty() ? null : rest;
                                        }));
        task.id().filter(id -> !watched.containsKey(id)).ifPresent(this::awaitNoMore);
    }

    /** Removes a task from the awaited ones; the subscription stays as it is for the others. */
    private void awaitNoMore(TaskId id) {
        if (awaited.remove(id) && awaited.isEmpty()) {
            peer.awaitedChanged();
        }
    }

    private static ConnectionException closedException() {
        return new ConnectionException("the connection was closed; the task goes on at the peer");
    }

    /** Ends all watches; the tasks continue at the peer. */
    @Override
    public void close() {
        closed = true;
        List.copyOf(watched.values()).stream()
                .flatMap(List::stream)
                .forEach(task -> task.fail(closedException()));
    }
}
