package dev.fairlead.server.features;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.pagination.Feature;

import org.jspecify.annotations.Nullable;

/**
 * A method of the author's own.
 *
 * @param pace decides whether the reading thread may run it; null if it may not
 */
public record ServerMethod(
        String name,
        Access access,
        @Nullable Pace pace,
        JsonCodec<Object> input,
        JsonCodec<Object> output,
        Handler<Object, Object> handler)
        implements Feature {}
