package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.tasks.TaskMetadata;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * A request that is to become a task.
 *
 * @param method such as {@code tools/call}
 * @param name such as the tool; empty where the method needs none
 * @param origin what a run needs, see {@link dev.fairlead.tasks.NewTask}
 * @param progressToken under which its requestor wants progress; null for none
 * @param ttl as the requestor wishes; null where it says nothing
 */
public record TaskRequest(
        String method,
        String name,
        RawJson origin,
        @Nullable ProgressToken progressToken,
        @Nullable Duration ttl,
        boolean rerunnable) {
    /** The time to live that a request asks for; null where it says nothing. */
    public static @Nullable Duration ttl(@Nullable TaskMetadata asked) {
        Long millis = asked == null ? null : asked.ttl();
        return millis == null ? null : Duration.ofMillis(millis);
    }
}
