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
     * @return the end of the task; ignored if it has parked
     * @throws Exception a {@link dev.fairlead.jsonrpc.JsonRpcException} ends the task with that
     *     error; anything else is logged and ends it with {@code -32603} and a reference
     */
    TaskOutcome run(TaskContext context) throws Exception;

    /**
     * Returns whether tasks of this name compute or call native code for long, so that their runs
     * need platform threads. Must return at once.
     *
     * @param name the name of the task, such as its tool
     */
    default boolean isBlocking(String name) {
        return false;
    }

    /**
     * Returns the status message of a task that ended with a failure, for people.
     *
     * @param result a result that reports that the work failed
     */
    default String statusMessage(TaskOutcome.Result result) {
        return "The work failed, its result says why";
    }

    /**
     * Returns the end of a task whose result is too large: unless overridden, {@code -32603}.
     *
     * @param message names both numbers
     */
    default TaskOutcome tooLarge(String message) {
        return TaskConclusion.error(message);
    }

    /**
     * Polls the outside job of a parked task.
     *
     * @return the end of the job; empty while it has not ended
     * @throws Exception as {@link #run}, but anything else than a {@code JsonRpcException} has it
     *     asked again later
     */
    Optional<TaskOutcome> poll(TakenTask parked) throws Exception;
}
