package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.ProgressToken;

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
        boolean rerunnable) {}
