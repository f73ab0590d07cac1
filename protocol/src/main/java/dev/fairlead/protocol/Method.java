package dev.fairlead.protocol;

import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A request that the protocol knows. All of them are in {@link Methods}.
 *
 * @param <P> its parameters
 * @param <R> its result
 * @param name the name on the wire, such as {@code tools/call}
 * @param receiver who may be asked
 * @param params the class of the parameters
 * @param result the class of the result
 * @param capability what the receiver must have declared, such as {@code resources.subscribe}; null
 *     where nothing
 * @param since the first revision that has it
 */
public record Method<P extends RequestParams, R extends Result>(
        String name,
        Side receiver,
        Class<P> params,
        Class<R> result,
        @Nullable String capability,
        Revision since) {
    public Method {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(receiver, "receiver");
        Objects.requireNonNull(params, "params");
        Objects.requireNonNull(result, "result");
        Objects.requireNonNull(since, "since");
    }

    @Override
    public String toString() {
        return name;
    }
}
