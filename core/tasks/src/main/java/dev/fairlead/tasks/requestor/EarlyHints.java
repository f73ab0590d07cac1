package dev.fairlead.tasks.requestor;

import dev.fairlead.protocol.engine.HeapSize;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Notifications of tasks that are unknown here, or not known yet: a notification can overtake the
 * answer that names its task. Kept briefly; the oldest is dropped first. Thread-safe.
 */
final class EarlyHints {
    static final int LIMIT = 100;
    static final Duration AGE = Duration.ofSeconds(30);

    /**
     * The length of a message or id, and the bytes of other members, beyond which a hint is not
     * kept.
     */
    static final int MAX_MESSAGE = 16 << 10;

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
        if (isLarge(task)) {
            return;
        }
        synchronized (hints) {
            hints.remove(task.id());
            hints.put(task.id(), new Hint(task, clock.instant()));
        }
    }

    private static boolean isLarge(Task task) {
        String message = task.statusMessage();
        return message != null && message.length() > MAX_MESSAGE
                || task.id().value().length() > MAX_MESSAGE
                || HeapSize.of(task.meta()) + HeapSize.of(task.otherMembers()) > MAX_MESSAGE;
    }

    /** Removes and returns a task that an early notification reported. */
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
