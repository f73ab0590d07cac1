package dev.fairlead.server;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.server.features.FeatureChange;
import dev.fairlead.server.features.FeatureKind;
import dev.fairlead.server.features.ServerNotification;
import dev.fairlead.server.handler.NotificationHandler;

import java.util.Objects;

/**
 * A notification between its name and its {@link #handle}. Not thread-safe.
 *
 * @param <F> the features that {@link #handle} returns to continue the chain
 * @param <I> the parameters
 */
public final class NotificationDeclaration<F, I> {
    private final Chain<F> chain;
    private final String name;
    private final JsonCodec<I> input;

    NotificationDeclaration(Chain<F> chain, String name, Class<I> params) {
        if (name.equals(Connection.CANCELLED) || name.equals(Connection.PROGRESS)) {
            throw new IllegalArgumentException("the library itself handles " + name);
        }
        this.chain = chain;
        this.name = name;
        this.input = JsonCodec.of(params);
        chain.begin(FeatureKind.NOTIFICATION.subject(name));
    }

    /** Gives the notification its body and ends the declaration. */
    @SuppressWarnings("unchecked")
    public F handle(NotificationHandler<I> handler) {
        Objects.requireNonNull(handler, "handler");
        return chain.end(
                FeatureChange.add(
                        FeatureKind.NOTIFICATION,
                        new ServerNotification(
                                name,
                                (JsonCodec<Object>) input,
                                (NotificationHandler<Object>) handler)));
    }
}
