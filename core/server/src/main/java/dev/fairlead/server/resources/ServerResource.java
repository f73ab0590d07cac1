package dev.fairlead.server.resources;

import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.pagination.Feature;

import org.jspecify.annotations.Nullable;

/**
 * A resource as it stands in the catalog.
 *
 * @param pace decides whether the reading thread may run it; null if it may not
 */
public record ServerResource(
        Resource definition,
        Access access,
        @Nullable Pace pace,
        Handler<ReadResourceRequest, ReadResourceResult> handler)
        implements Feature {
    @Override
    public String name() {
        return definition.uri();
    }
}
