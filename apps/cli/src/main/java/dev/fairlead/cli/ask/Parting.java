package dev.fairlead.cli.ask;

/** The choice of a user who presses Ctrl-C while waiting for a task. */
public enum Parting {
    /** The task is to end. */
    CANCEL,
    /** The task continues, the user does not wait. */
    LEAVE,
    /** Ignored. */
    WAIT
}
