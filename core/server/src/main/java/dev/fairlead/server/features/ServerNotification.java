package dev.fairlead.server.features;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.server.handler.NotificationHandler;
import dev.fairlead.server.pagination.Feature;

/** A notification that the server listens to. */
public record ServerNotification(
        String name, JsonCodec<Object> input, NotificationHandler<Object> handler)
        implements Feature {}
