package dev.fairlead.cli.tasks;

/** Handling of Ctrl-C during work. */
public interface CtrlC {

    /** Work that Ctrl-C interrupts. */
    @FunctionalInterface
    interface Work<R> {
        /** Does the work. */
        R run() throws InterruptedException;
    }

    /**
     * Runs work on this thread, which the first Ctrl-C interrupts without a message: the caller
     * asks for the meaning. The second one ends the program.
     */
    <R> R asking(Work<R> work) throws InterruptedException;

    /** Takes the first Ctrl-C back: the next one is a first one again. */
    void resume();

    /** Ends the program at once, as a second Ctrl-C does. */
    void leave();
}
