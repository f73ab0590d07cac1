package dev.fairlead.protocol;

/** A request of a peer that a {@link RequestHost} has taken. Thread-safe. */
public interface RunningRequest {
    /**
     * Cancels the request because its client has left: its handler is interrupted, and nothing more
     * is sent for it. Returns at once; without effect once it has ended.
     *
     * @param reason for the handler and the log
     */
    void cancel(String reason);

    /**
     * Ends the request if it stays open without a thread, such as a stream of changes, at once or
     * when its handler returns; any other request continues. Returns at once.
     */
    void endIfStanding();
}
