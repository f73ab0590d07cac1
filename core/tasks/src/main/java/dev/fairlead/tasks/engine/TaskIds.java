package dev.fairlead.tasks.engine;

import dev.fairlead.protocol.platform.RandomBytes;
import dev.fairlead.protocol.tasks.TaskId;

import java.util.Base64;

/** Names for tasks, with 128 random bits. */
final class TaskIds {
    /** No name of a task is longer, in characters. */
    static final int MAX_LENGTH = 64;

    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    /**
     * A new name; also fit for anything else that must be unique. It begins with no dash, so that
     * no shell takes it for an option.
     */
    TaskId next() {
        String text;
        do {
            text = TEXT.encodeToString(RandomBytes.of(16));
        } while (text.startsWith("-"));
        return new TaskId(text);
    }

    /** Whether a task might have this name; no store is asked for others. */
    static boolean mayBe(TaskId id) {
        String value = id.value();
        return !value.isEmpty()
                && value.length() <= MAX_LENGTH
                && value.chars().allMatch(c -> c > ' ' && c < 127);
    }
}
