package dev.fairlead.server.subscriptions;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.peer.SessionTasks;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.notifications.OutgoingNotifications;
import dev.fairlead.tasks.engine.TaskEngine;
import dev.fairlead.tasks.receiver.ExtensionReceiver;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tasks that a stream is about: those of its owner, whichever node runs them. A task is read
 * when its notification is sent, so that several changes before that are one.
 */
final class WatchedTasks {
    private static final System.Logger LOGGER = System.getLogger(WatchedTasks.class.getName());

    /** How long a task that could not be read waits for the next attempt. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ExtensionReceiver receiver;
    private final Owner owner;
    private final WireFace face;
    private final JsonObject meta;
    private final OutgoingNotifications queue;
    private final Timers timers;
    private final List<String> ids = new ArrayList<>();
    private final List<TaskEngine.Registration> watches = new ArrayList<>();

    private WatchedTasks(
            ExtensionReceiver receiver,
            ServerCall call,
            JsonObject meta,
            OutgoingNotifications queue) {
        this.receiver = receiver;
        this.owner = call.owner();
        this.face = call.face();
        this.meta = meta;
        this.queue = queue;
        this.timers = call.channel().server().timers();
    }

    /**
     * Begins to watch those of some tasks that the caller has.
     *
     * @param wanted their ids; null for none
     * @return null if nothing can be watched
     */
    static @Nullable WatchedTasks begin(
            @Nullable List<String> wanted,
            ServerCall call,
            JsonObject meta,
            OutgoingNotifications queue) {
        SessionTasks tasks = call.channel().tasks();
        if (wanted == null || tasks == null) {
            return null;
        }
        WatchedTasks watched = new WatchedTasks(tasks.extension(), call, meta, queue);
        if (!wanted.isEmpty()) {
            watched.watch(wanted);
        }
        return watched;
    }

    /** Begins to watch before it reads which tasks there are, so that no change is missed. */
    private void watch(List<String> wanted) {
        Map<TaskId, TaskEngine.Registration> begun = new LinkedHashMap<>();
        Set<TaskId> known = Set.of();
        try {
            for (String text : wanted) {
                id(text).ifPresent(id -> begun.computeIfAbsent(id, this::watch));
            }
            known = receiver.existing(owner, begun.keySet());
        } finally {
            for (Map.Entry<TaskId, TaskEngine.Registration> each : begun.entrySet()) {
                if (known.contains(each.getKey())) {
                    ids.add(each.getKey().value());
                    watches.add(each.getValue());
                } else {
                    each.getValue().close();
                }
            }
        }
    }

    private TaskEngine.Registration watch(TaskId id) {
        return receiver.watch(id, () -> announce(id));
    }

    private static Optional<TaskId> id(String text) {
        try {
            return Optional.of(new TaskId(text));
        } catch (IllegalArgumentException e) { // no task has such an id
            return Optional.empty();
        }
    }

    private void announce(TaskId id) {
        queue.add(
                new OutgoingNotifications.Unsent(
                        Notifications.TASK, id.value(), () -> notification(id)));
    }

    private @Nullable JsonRpcNotification notification(TaskId id) {
        try {
            return receiver.find(owner, id, face).map(this::notification).orElse(null);
        } catch (JsonRpcException e) { // its store failed, which is logged
            LOGGER.log(Level.DEBUG, "A change of task {0} is sent later: {1}", id, e.getMessage());
            timers.schedule(RETRY, () -> announce(id));
            return null;
        }
    }

    private JsonRpcNotification notification(DetailedTask task) {
        JsonObject taskMeta = task.meta() == null ? meta : task.meta().with(meta);
        RawJson params = face.writeNotification(Notifications.TASK, task.withMeta(taskMeta));
        return new JsonRpcNotification(Notifications.TASK.name(), params);
    }

    /** Announces a task once more, if it is watched. */
    void changed(String id) {
        if (ids.contains(id)) {
            announce(new TaskId(id));
        }
    }

    /** Returns the ids of the tasks that are watched. */
    List<String> ids() {
        return ids;
    }

    void close() {
        watches.forEach(TaskEngine.Registration::close);
    }
}
