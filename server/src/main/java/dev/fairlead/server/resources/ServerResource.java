package dev.fairlead.server.resources;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.handler.Handler;

/** A resource as it stands in the catalog. */
public record ServerResource(
        Resource definition,
        Access access,
        Handler<ReadResourceRequest, ReadResourceResult> handler) {
    public String uri() {
        return definition.uri();
    }

    boolean isVisibleTo(Caller caller) {
        return access.isVisibleTo(caller);
    }
}
