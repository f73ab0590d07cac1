package dev.fairlead.client.internal;

/**
 * A handler of the user, in a form for the packages that do not know the public types.
 *
 * @param <P> its argument
 * @param <R> its result
 */
@FunctionalInterface
public interface UserHandler<P, R> {
    R handle(P argument) throws Exception;
}
