package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskOutcome;

/**
 * Until when a run may go on, and how its task ends if it does not stop by then.
 *
 * @param due in nanoseconds of the timers, whose time does not jump when a clock is set
 */
record RunLimit(long due, TaskOutcome whenOver) {
    RunLimit later(long nanos) {
        return new RunLimit(due + nanos, whenOver);
    }

    /** How many nanoseconds are left. */
    long left(long now) {
        return due - now;
    }
}
