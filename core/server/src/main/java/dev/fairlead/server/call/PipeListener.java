package dev.fairlead.server.call;

/** A delegate that keeps something for the callers at the other end of pipes. */
public interface PipeListener {
    /**
     * A pipe has ended. Must return at once.
     *
     * @param callerKey the {@link CallScope#callerKey} of its anonymous calls without sessions
     */
    void pipeEnded(Object callerKey);
}
