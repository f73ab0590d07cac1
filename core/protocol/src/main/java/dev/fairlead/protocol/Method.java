package dev.fairlead.protocol;

import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A request of the protocol. All of them are in {@link Methods}.
 *
 * @param <P> its parameters
 * @param <R> its result
 * @param name the name on the wire, such as {@code tools/call}
 * @param receiver the side that receives it
 * @param params the class of the parameters
 * @param result the class of the result
 * @param capability the capability that the receiver must have declared, such as {@code
 *     resources.subscribe}; null for none
 * @param since the first revision that has it
 * @param last the last revision that has it; null where there is none yet
 */
public record Method<P extends RequestParams, R extends Result>(
        String name,
        Side receiver,
        Class<P> params,
        Class<R> result,
        @Nullable String capability,
        Revision since,
        @Nullable Revision last) {
    public Method {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(receiver, "receiver");
        Objects.requireNonNull(params, "params");
        Objects.requireNonNull(result, "result");
        Objects.requireNonNull(since, "since");
    }

    /** Creates a method that no revision has removed. */
    public Method(
            String name,
            Side receiver,
            Class<P> params,
            Class<R> result,
            @Nullable String capability,
            Revision since) {
        this(name, receiver, params, result, capability, since, null);
    }

    /** Returns whether a revision has the method. */
    public boolean isIn(Revision revision) {
        return revision.isAtLeast(since) && (last == null || last.isAtLeast(revision));
    }

    @Override
    public String toString() {
        return name;
    }
}
