package dev.fairlead.protocol;

/** An open connection of a client to its server. */
public interface Link extends AutoCloseable {
    /**
     * Ends the connection in the order its transport asks for: a child process gets its end of
     * input and time to leave, a session over HTTP is deleted. Returns when that is done; may be
     * called more than once.
     */
    @Override
    void close();
}
