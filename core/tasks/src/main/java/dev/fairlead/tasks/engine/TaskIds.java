package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.platform.RandomBytes;
import dev.fairlead.protocol.tasks.TaskId;

import java.util.Base64;

/** Creates the ids of tasks, with 128 random bits. */
final class TaskIds {
    /** The greatest length of the id of a task, in characters. */
    static final int MAX_LENGTH = 64;

    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    /**
     * Creates an id, also for other things that must be unique. It never begins with a dash, so
     * that no shell takes it for an option.
     */
    TaskId next() {
        String text;
        do {
            text = TEXT.encodeToString(RandomBytes.of(16));
        } while (text.startsWith("-"));
        return new TaskId(text);
    }

    /** Returns whether a text may be the id of a task; the store is not read for others. */
    static boolean mayBe(TaskId id) {
        String value = id.value();
        return !value.isEmpty()
                && value.length() <= MAX_LENGTH
                && value.chars().allMatch(c -> c > ' ' && c < 127);
    }
}
