package dev.fairlead.client.tasks;

import dev.fairlead.client.link.InputAnswers;
import dev.fairlead.client.link.Round;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Timers;

import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Answers the input requests of tasks, each key once, also if the task is polled often. The monitor
 * guards the keys that were answered; only one thread answers for a task at a time.
 */
public final class TaskInputs {
    /** After so many looks in a row that show nothing but answered keys, a task is given up. */
    public static final int MAX_LOOKS = 60;

    /** The most characters of the keys that were answered for one task, with 64 more for each. */
    public static final int MAX_CHARACTERS = 1 << 20;

    /** Beyond so many tasks the one that was looked at first is forgotten. */
    private static final int MAX_TASKS = 10_000;

    /** The same beyond so many characters of ids and keys of all tasks, with 64 more for each. */
    private static final long MAX_SUM = 16L * MAX_CHARACTERS;

    private final InputAnswers inputs;
    private final Timers timers;

    // guarded by this
    private final Map<TaskId, Progress> byTask = new LinkedHashMap<>(16, 0.75f, true);
    private long sum; // of the characters of all

    private static final class Progress {
        private final Set<String> answered = new HashSet<>();
        private long characters; // of answered
        private int looks;
        private int answering; // threads that do
        private long since; // one does
        private long spent; // nanoseconds before that
    }

    /**
     * A handler threw an exception with which a request to the server might fail, after which the
     * task would be polled again; this ends the wait for it.
     */
    public static final class HandlerFailedException extends CallException {
        private static final long serialVersionUID = 1;

        private final CallException failure;

        HandlerFailedException(CallException failure) {
            super("a handler failed: " + failure, failure);
            this.failure = failure;
        }

        /** Returns the exception of the handler, for one caller. */
        public CallException forCaller() {
            return failure.withCallerStack();
        }
    }

    /** Sends answers to the server. */
    @FunctionalInterface
    public interface Sender {
        void send(TaskId task, JsonObject answers) throws InterruptedException;
    }

    public TaskInputs(InputAnswers inputs, Timers timers) {
        this.inputs = inputs;
        this.timers = timers;
    }

    /** Returns for how long handlers have answered the input requests of a task, up to now. */
    public synchronized Duration answering(TaskId id) {
        Progress progress = byTask.get(id);
        if (progress == null) {
            return Duration.ZERO;
        }
        long running = progress.answering == 0 ? 0 : timers.nanoTime() - progress.since;
        return Duration.ofNanos(progress.spent + running);
    }

    /**
     * Answers the open input requests of a task; blocks while people answer.
     *
     * @throws InvalidResultException if the task waits for nothing else for too long, asks for too
     *     much, or for something that this client did not declare
     * @throws HandlerFailedException if a handler throws an exception with which a request to the
     *     server might fail
     */
    public void answer(DetailedTask task, Revision revision, Sender sender)
            throws InterruptedException {
        Map<String, InputRequest> asked = task.inputRequests();
        if (asked == null || asked.isEmpty()) {
            isNotWaiting(task.id());
            return;
        }
        Map<String, InputRequest> open = claim(task.id(), asked);
        if (open.isEmpty()) {
            return;
        }
        boolean sent = false;
        try { // people may take their time
            Map<String, RawJson> answers = answers(open, revision);
            sender.send(task.id(), Round.member(answers));
            sent = true;
        } finally {
            release(task.id(), sent ? Set.of() : open.keySet());
        }
    }

    private Map<String, RawJson> answers(Map<String, InputRequest> open, Revision revision)
            throws InterruptedException {
        try {
            return inputs.answer(open, revision, null);
        } catch (JsonRpcException | ConnectionException | RequestTimeoutException e) {
            throw new HandlerFailedException(e);
        }
    }

    private synchronized Map<String, InputRequest> claim(
            TaskId id, Map<String, InputRequest> asked) {
        Progress progress = byTask.get(id);
        if (progress == null) {
            progress = new Progress();
            byTask.put(id, progress);
            sum += characters(Set.of(id.value()));
        }
        Map<String, InputRequest> open = new LinkedHashMap<>(asked);
        open.keySet().removeAll(progress.answered);
        if (!open.isEmpty()) {
            grow(progress, characters(open.keySet()));
            if (progress.characters > MAX_CHARACTERS) {
                throw new InvalidResultException(
                        "task %s asks without end: its keys may have %s characters in all"
                                .formatted(id, MAX_CHARACTERS),
                        null);
            }
            progress.answered.addAll(open.keySet());
            progress.looks = 0;
            if (progress.answering++ == 0) {
                progress.since = timers.nanoTime();
            }
            forgetBeyondBounds();
        } else if (progress.answering == 0 && ++progress.looks >= MAX_LOOKS) {
            throw new InvalidResultException(
                    "task %s waits for answers that were given, after %s looks"
                            .formatted(id, progress.looks),
                    null);
        }
        return open;
    }

    private static long characters(Set<String> keys) {
        return keys.stream().mapToLong(key -> key.length() + 64).sum();
    }

    private synchronized void isNotWaiting(TaskId id) {
        Progress progress = byTask.get(id);
        if (progress != null) {
            progress.looks = 0;
        }
    }

    private synchronized void release(TaskId id, Set<String> keys) {
        Progress progress = byTask.get(id);
        if (progress != null) {
            if (--progress.answering == 0) {
                progress.spent += timers.nanoTime() - progress.since;
            }
            progress.answered.removeAll(keys);
            grow(progress, -characters(keys));
        }
    }

    private void grow(Progress progress, long characters) {
        progress.characters += characters;
        sum += characters;
    }

    /** Forgets tasks that no thread answers for, those that were looked at first before others. */
    private void forgetBeyondBounds() {
        Iterator<Map.Entry<TaskId, Progress>> eldest = byTask.entrySet().iterator();
        while ((byTask.size() > MAX_TASKS || sum > MAX_SUM) && eldest.hasNext()) {
            Map.Entry<TaskId, Progress> task = eldest.next();
            if (task.getValue().answering == 0) {
                eldest.remove();
                forgotten(task.getKey(), task.getValue());
            }
        }
    }

    private void forgotten(TaskId id, Progress progress) {
        sum -= progress.characters + characters(Set.of(id.value()));
    }

    /** The task has ended. */
    public synchronized void forget(TaskId id) {
        Progress progress = byTask.remove(id);
        if (progress != null) {
            forgotten(id, progress);
        }
    }
}
