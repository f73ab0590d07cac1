package dev.fairlead.tasks.engine;

import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;

import java.util.Optional;

/** The work of the tasks of an engine: the handlers of a server, or of a client. Thread-safe. */
public interface TaskWork {
    /**
     * Does the work of a task, from its start, on the thread of its run. An interrupt requests it
     * to stop; an outcome after that is ignored.
     *
     * @return how it ended; ignored if it has parked
     * @throws Exception a {@link dev.fairlead.jsonrpc.JsonRpcException} ends the task with that
     *     error; anything else is logged and ends it with {@code -32603} and a reference
     */
    TaskOutcome run(TaskContext context) throws Exception;

    /**
     * Returns whether tasks of this name compute or call native code for long, so that their runs
     * need platform threads. Must return at once.
     *
     * @param name that of the task, such as its tool
     */
    default boolean isBlocking(String name) {
        return false;
    }

    /**
     * The status message of a task that ended so, for people.
     *
     * @param result one that reports that the work failed
     */
    default String statusMessage(TaskOutcome.Result result) {
        return "The work failed, its result says why";
    }

    /**
     * Returns how a task ends whose result has more bytes than are kept: unless implemented, with
     * {@code -32603}.
     *
     * @param message names both numbers
     */
    default TaskOutcome tooLarge(String message) {
        return TaskConclusion.error(message);
    }

    /**
     * Looks after the outside job of a parked task.
     *
     * @return how the job ended; empty while it has not
     * @throws Exception as {@link #run}, but anything else than a {@code JsonRpcException} has it
     *     asked again later
     */
    Optional<TaskOutcome> poll(TakenTask parked) throws Exception;
}
