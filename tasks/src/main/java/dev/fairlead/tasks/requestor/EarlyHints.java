package dev.fairlead.tasks.requestor;

import dev.fairlead.protocol.Task;
import dev.fairlead.protocol.TaskId;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was told of tasks that nobody here knows, or knows yet: a notification can overtake the
 * answer that names its task (ROOM-030). Kept briefly; the oldest goes first. Thread-safe.
 */
final class EarlyHints {
    static final int LIMIT = 100;
    static final Duration AGE = Duration.ofSeconds(30);

    private final Clock clock;
    private final Map<TaskId, Hint> hints = new LinkedHashMap<>() { // guarded by itself
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<TaskId, Hint> eldest) {
                    return size() > LIMIT;
                }
            };

    private record Hint(Task task, Instant since) {}

    EarlyHints(Clock clock) {
        this.clock = clock;
    }

    void add(Task task) {
        synchronized (hints) {
            hints.remove(task.id());
            hints.put(task.id(), new Hint(task, clock.instant()));
        }
    }

    /** What was told of a task a moment ago. */
    Optional<Task> take(TaskId id) {
        Hint hint;
        synchronized (hints) {
            hint = hints.remove(id);
        }
        return Optional.ofNullable(hint)
                .filter(kept -> kept.since().plus(AGE).isAfter(clock.instant()))
                .map(Hint::task);
    }
}
