package dev.fairlead.server;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.server.handler.Handler;

/** A resource as it stands in the catalog. */
record ServerResource(
        Resource definition,
        Access access,
        Handler<ReadResourceRequest, ReadResourceResult> handler) {
    String uri() {
        return definition.uri();
    }

    boolean isVisibleTo(Caller caller) {
        return access.isVisibleTo(caller);
    }
}
