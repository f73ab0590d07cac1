package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.engine.Incident;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;

/** A run as it takes place, on its own thread, from the call of the work to what becomes of it. */
final class TaskRunner implements Runnable {
    private static final System.Logger LOGGER = System.getLogger(TaskRunner.class.getName());

    private final NodeParts parts;
    private final Runs runs;
    private final Run run;

    TaskRunner(NodeParts parts, Runs runs, Run run) {
        this.parts = parts;
        this.runs = runs;
        this.run = run;
    }

    /** Calls the work itself: the fewer frames below a handler that waits, the less memory. */
    @Override
    public void run() {
        Interrupts interrupts = run.interrupts();
        TaskOutcome outcome = null;
        try {
            if (interrupts.begin()) {
                outcome = parts.work().run(run);
            }
        } catch (Throwable e) {
            outcome = failure(e);
        } finally {
            interrupts.end();
            end(outcome);
        }
    }

    /** How a task ends whose work threw; null if it was to stop, which is no news. */
    private @Nullable TaskOutcome failure(Throwable cause) {
        if (run.isStopped()) {
            return null;
        }
        return cause instanceof JsonRpcException known
                ? new TaskOutcome.Error(known.error())
                : Runs.error(Incident.log("Task " + run.key().id() + " failed", cause));
    }

    private void end(@Nullable TaskOutcome outcome) {
        try {
            if (outcome != null && !run.isStopped()) {
                settle(outcome);
            }
        } catch (RuntimeException e) {
            LOGGER.log(Level.ERROR, "The end of task " + run.key().id() + " was not stored", e);
        } finally {
            run.stopped();
            runs.gone(run);
        }
    }

    private void settle(TaskOutcome outcome) {
        Run.Parking parking = run.parking();
        if (parking == null || outcome instanceof TaskOutcome.Error) {
            runs.conclude(run, outcome);
        } else {
            park(parking);
        }
    }

    private void park(Run.Parking parking) {
        run.reporting().flush();
        try {
            boolean parked =
                    parts.persistence()
                            .uninterrupted(
                                    run.task().expiresAt(),
                                    () ->
                                            parts.store()
                                                    .park(
                                                            run.key(),
                                                            parking.job(),
                                                            parking.pollEvery()));
            if (parked) {
                parts.audit().event(TaskEvent.Kind.PARKED, run.task());
            }
        } catch (IllegalArgumentException e) {
            runs.conclude(run, Runs.error("Another task waits for the job " + parking.job()));
        } catch (TaskStoreException e) {
            LOGGER.log(Level.WARNING, "Task " + run.key().id() + " could not be parked", e);
        }
    }
}
