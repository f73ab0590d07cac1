package dev.fairlead.protocol;

/** An open connection of a client to its server. */
public interface Link extends AutoCloseable {
    /**
     * Closes the connection as its transport requires: a child process gets the end of its input
     * and time to exit, a session over HTTP is deleted. Returns when that is done; may be called
     * more than once.
     */
    @Override
    void close();
}
