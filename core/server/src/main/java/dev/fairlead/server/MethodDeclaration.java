package dev.fairlead.server;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.protocol.Methods;
import dev.fairlead.server.features.FeatureKind;
import dev.fairlead.server.features.ServerMethod;
import dev.fairlead.server.handler.Handler;

import java.util.Objects;

/**
 * A method of your own between its name and its {@link #handle}. Not thread-safe.
 *
 * @param <F> the features that {@link #handle} returns to continue the chain
 * @param <I> the parameters
 * @param <O> the result
 */
public final class MethodDeclaration<F, I, O>
        extends Declaration<F, ServerMethod, MethodDeclaration<F, I, O>> {
    private final String name;
    private final JsonCodec<I> input;
    private final JsonCodec<O> output;

    MethodDeclaration(Chain<F> chain, String name, Class<I> params, Class<O> result) {
        super(chain, FeatureKind.METHOD, name);
        if (Methods.ALL.stream().anyMatch(method -> method.name().equals(name))) {
            throw new IllegalArgumentException("the protocol defines the method " + name);
        }
        this.name = name;
        this.input = JsonCodec.of(params);
        this.output = JsonCodec.of(result);
    }

    /** Gives the method its body and ends the declaration. */
    @SuppressWarnings("unchecked")
    public F handle(Handler<I, O> handler) {
        Objects.requireNonNull(handler, "handler");
        return add(
                new ServerMethod(
                        name,
                        access(),
                        pace(),
                        (JsonCodec<Object>) input,
                        (JsonCodec<Object>) output,
                        (Handler<Object, Object>) handler));
    }
}
