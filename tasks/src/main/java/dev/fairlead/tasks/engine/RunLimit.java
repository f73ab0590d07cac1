package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TaskOutcome;

/**
 * Until when a run may go on, and how its task ends if it does not stop by then.
 *
 * @param due in milliseconds since 1970
 */
record RunLimit(long due, TaskOutcome whenOver) {
    RunLimit later(long millis) {
        return new RunLimit(due + millis, whenOver);
    }
}
