package dev.fairlead.server.requests;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * One request to the client.
 *
 * @param timeout how long to wait without a sign of life
 * @param maximum how long to wait at most
 * @param key under which the author wants it answered; null for none
 * @param listener receives the progress of the answer; null for none
 */
public record ClientRequest<P extends RequestParams>(
        Method<P, ?> method,
        P params,
        Duration timeout,
        Duration maximum,
        @Nullable String key,
        @Nullable ProgressListener listener) {

    /** Whether the client is to run it as a task. */
    public boolean isTask() {
        return params instanceof TaskAugmentedRequest request && request.task() != null;
    }

    /**
     * The parameters on the wire.
     *
     * @throws dev.fairlead.protocol.CapabilityException if the revision has no words for them
     */
    public @Nullable RawJson written(WireFace face, @Nullable ProgressToken token) {
        return face.writeParams(method, params, token);
    }

    /** Returns the parameters as they are stored. */
    public RawJson neutral() {
        return NeutralForm.writeParams(method, params);
    }
}
