package dev.fairlead.protocol.tasks;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.RequestParams;

import org.jspecify.annotations.Nullable;

/** The parameters of a request that may be run as a task. */
public interface TaskAugmentedRequest extends RequestParams {
    /** Returns the request for a task; null for a plain request. */
    @Nullable TaskMetadata task();

    /** Returns a copy with this {@code task}; null removes it. */
    TaskAugmentedRequest withTask(@Nullable TaskMetadata task);

    @Override
    TaskAugmentedRequest withMeta(@Nullable JsonObject meta);
}
