package dev.fairlead.server.handler;

import dev.fairlead.protocol.Caller;

import java.util.Collection;

/**
 * Says which resources a template stands for at the moment.
 *
 * @param <I> the record of the template's variables
 */
@FunctionalInterface
public interface Lister<I> {
    /**
     * The variables of each resource that this caller may see, in any order; the library makes the
     * URIs, sorts by them and pages.
     *
     * @throws Exception as {@link Handler#handle}
     */
    Collection<I> list(Caller caller, Call call) throws Exception;
}
