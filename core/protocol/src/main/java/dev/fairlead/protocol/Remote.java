package dev.fairlead.protocol;

import java.io.IOException;
import java.util.Optional;

/** A server that a client can reach, over any transport. */
public interface Remote {
    /**
     * Opens a connection and its session.
     *
     * @param host opens the client's side of the session
     * @throws IOException if the server cannot be reached
     */
    Link connect(SessionHost host) throws IOException, InterruptedException;

    /**
     * Returns an object that identifies the server's address and this client's identity there, so
     * that clients of this process remember which era the server is of. Equal places lead to the
     * same server as the same user. Empty, the default, if nothing is to be remembered.
     */
    default Optional<Object> place() {
        return Optional.empty();
    }
}
