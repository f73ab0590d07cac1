package dev.fairlead.server.handler;

import dev.fairlead.protocol.Caller;

/**
 * Takes notifications of the client.
 *
 * @param <I> the parameters
 */
@FunctionalInterface
public interface NotificationHandler<I> {
    /**
     * Takes one notification. Those of one session come one after the other, on a thread of that
     * session.
     *
     * @throws Exception is logged; the client gets no answer
     */
    void handle(I params, Caller caller) throws Exception;
}
