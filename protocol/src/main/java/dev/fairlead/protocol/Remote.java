package dev.fairlead.protocol;

import java.io.IOException;

/** A server that a client can reach, in whichever way. */
public interface Remote {
    /**
     * Opens a connection and its session.
     *
     * @param host opens the client's side of the session
     * @throws IOException if the server cannot be reached
     */
    Link connect(SessionHost host) throws IOException, InterruptedException;
}
