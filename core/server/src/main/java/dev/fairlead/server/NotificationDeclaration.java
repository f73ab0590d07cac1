package dev.fairlead.server;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.server.features.FeatureChange;
import dev.fairlead.server.features.ServerNotification;
import dev.fairlead.server.handler.NotificationHandler;

import java.util.Objects;

/**
 * A notification between its name and its {@link #handle}. Not thread-safe.
 *
 * @param <F> the features that {@link #handle} returns to continue the chain
 * @param <I> the parameters
 */
public final class NotificationDeclaration<F extends Features<F>, I> {
    private final F features;
    private final String name;
    private final JsonCodec<I> input;

    NotificationDeclaration(F features, String name, Class<I> params) {
        if (name.equals(Connection.CANCELLED) || name.equals(Connection.PROGRESS)) {
            throw new IllegalArgumentException("the library itself handles " + name);
        }
        this.features = features;
        this.name = name;
        this.input = JsonCodec.of(params);
        features.begin(subject());
    }

    private String subject() {
        return "the notification " + name;
    }

    /** Gives the notification its body and ends the declaration. */
    @SuppressWarnings("unchecked")
    public F handle(NotificationHandler<I> handler) {
        Objects.requireNonNull(handler, "handler");
        features.end(
                subject(),
                FeatureChange.add(
                        new ServerNotification(
                                name,
                                (JsonCodec<Object>) input,
                                (NotificationHandler<Object>) handler)));
        return features;
    }
}
