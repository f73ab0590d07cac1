package dev.fairlead.protocol;

import java.io.IOException;

/**
 * A place where a server can be served: a port, standard input and output, one open transport.
 *
 * @param <S> the running server
 */
@FunctionalInterface
public interface Endpoint<S extends Serving> {
    /**
     * Starts to accept peers and returns.
     *
     * @throws IOException if the place is not available, such as a port in use; the message names
     *     it
     */
    S serve(SessionHost host) throws IOException;
}
