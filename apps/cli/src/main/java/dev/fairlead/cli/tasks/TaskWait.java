package dev.fairlead.cli.tasks;

import dev.fairlead.cli.ask.Attention;
import dev.fairlead.cli.ask.Parting;
import dev.fairlead.cli.ask.Person;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.StatusLine;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Waits for tasks in front of a user. Ctrl-C asks whether to cancel the task or to leave it
 * running; where there is no person to ask it is left running.
 *
 * @param status shows the status of the task
 * @param screen where the status line leads
 * @param attention is turned to the task that is waited for
 * @param person the person to ask; null where there is none
 * @param limit how long a task is waited for; null for as long as it lives
 * @param comeBack returns the command that returns to a task
 */
public record TaskWait(
        StatusLine status,
        Screen screen,
        Attention attention,
        @Nullable Person person,
        CtrlC ctrlC,
        @Nullable Duration limit,
        Function<TaskId, String> comeBack) {

    /**
     * Waits for the end of a task; meanwhile its questions are put to the user.
     *
     * @param known how it stands; null where that is not known
     * @return its result
     * @throws LeftTaskException if the user leaves it running
     * @throws InterruptedException if the user has cancelled it
     * @throws dev.fairlead.jsonrpc.CallException as {@link TaskHandle#await} does
     */
    public <O> O await(TaskHandle<O> task, TaskId id, @Nullable Task known)
            throws InterruptedException {
        try (LiveTask live = new LiveTask(task, status, screen)) {
            live.begin(known);
            while (true) {
                attention.turnTo(id);
                try {
                    return ctrlC.asking(() -> limit == null ? task.await() : task.await(limit));
                } catch (InterruptedException e) {
                    attention.lapse();
                    if (parting(id) == Parting.CANCEL) {
                        return cancelled(task);
                    }
                }
            }
        } finally {
            attention.lapse();
        }
    }

    /** Waits for a call; meanwhile questions are put to the user. */
    public <R> R call(CtrlC.Work<R> work) throws InterruptedException {
        attention.turnToCall();
        try {
            return work.run();
        } finally {
            attention.lapse();
        }
    }

    private Parting parting(TaskId id) throws InterruptedException {
        Parting parting = person == null ? Parting.LEAVE : ask(person, id);
        if (parting == Parting.LEAVE) {
            throw new LeftTaskException(
                    "Task " + id + " keeps running. To get its result: " + comeBack.apply(id));
        }
        return parting;
    }

    private Parting ask(Person asked, TaskId id) throws InterruptedException {
        // A user who sees that the wait continues may press Ctrl-C at once, which is a first one
        // again.
        Optional<Parting> parting = asked.part(id, ctrlC::resume);
        if (parting.isEmpty()) {
            ctrlC.leave();
        }
        return parting.orElse(Parting.LEAVE);
    }

    private static <O> O cancelled(TaskHandle<O> task) throws InterruptedException {
        try {
            task.cancel();
        } catch (JsonRpcException e) {
            if (e.code() != ErrorCode.INVALID_PARAMS) {
                throw e;
            }
            return task.await(); // it has ended meanwhile
        }
        throw new InterruptedException("Cancelled");
    }
}
