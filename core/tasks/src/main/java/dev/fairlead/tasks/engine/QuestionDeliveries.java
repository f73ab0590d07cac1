package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Brings the state of a task on this node in line with the store: a run that no longer holds the
 * task stops, questions that others deliver or that are answered are withdrawn, and open ones are
 * delivered over the best connection, one after the other.
 *
 * <p>The carrier of a question is set by a compare-and-set in the store, so that there is one live
 * delivery over all nodes. It is kept as long as its connection: a person would see the same
 * question twice otherwise. Then the stream of a {@code tasks/result} takes it over, and a session
 * from another session. Where the connection is that of another node, that node is signalled, and
 * gives the question up once the connection is gone.
 */
final class QuestionDeliveries {
    /** The pause before another attempt when the store fails. */
    static final Duration AGAIN = Duration.ofSeconds(1);

    private static final System.Logger LOGGER =
            System.getLogger(QuestionDeliveries.class.getName());

    private final TaskStore store;
    private final Timers timers;
    private final LocalTasks locals;
    private final ChangePublisher changes;
    private final Persistence persistence;
    private final boolean alone;
    private final TaskIds ids = new TaskIds();

    /**
     * Delivers the questions of the tasks of a node.
     *
     * @param alone whether there is no other node, so that a delivery that is unknown here is dead
     */
    QuestionDeliveries(
            TaskStore store,
            Timers timers,
            Persistence persistence,
            LocalTasks locals,
            ChangePublisher changes,
            boolean alone) {
        this.store = store;
        this.timers = timers;
        this.persistence = persistence;
        this.locals = locals;
        this.changes = changes;
        this.alone = alone;
    }

    /**
     * Matches the deliveries of a task with the store, on a thread of its own; one at a time for
     * each task.
     */
    void match(LocalTask local) {
        LocalTask held = locals.hold(local);
        if (held.beginMatching()) {
            Thread.ofVirtual()
                    .name("mcp-task-questions")
                    .start(
                            () -> {
                                try {
                                    matchAll(held);
                                } finally {
                                    locals.release(held);
                                }
                            });
        } else {
            locals.release(held);
        }
    }

    private void matchAll(LocalTask local) {
        do {
            try {
                matchOnce(local);
            } catch (TaskStoreException e) {
                LOGGER.log(Level.DEBUG, "The store failed, task {0} waits", local.id());
                timers.schedule(AGAIN, () -> match(local));
            } catch (RuntimeException e) {
                LimitedLog.failed(
                        LOGGER, Level.ERROR, "", e, "Questions of task {0} are stuck", local.id());
            }
        } while (!local.endMatching());
    }

    private void matchOnce(LocalTask local) {
        boolean stored = local.run().map(Run::isStored).orElse(true);
        Optional<StoredTask> found = store.find(local.owner(), local.id());
        if (found.isEmpty() && !stored) {
            return; // it is on its way there
        }
        if (found.isEmpty() || found.get().state().isEnded()) {
            local.end(found.map(StoredTask::state).orElse(TaskState.EXPIRED));
            return;
        }
        StoredTask task = found.get();
        local.run() // a later run has begun since this task was read
                .filter(run -> run.key().number() < task.run())
                .ifPresent(run -> run.stop(Interrupts.TAKEN_OVER));
        if (task.state() == TaskState.INPUT_REQUIRED || !local.deliveries().isEmpty()) {
            matchQuestions(local, task);
        }
    }

    private void matchQuestions(LocalTask local, StoredTask task) {
        List<TaskQuestion> open = store.questions(local.owner(), local.id());
        for (QuestionDelivery delivery : local.deliveries()) {
            if (!delivery.standsIn(open)) {
                delivery.withdraw();
            }
        }
        Optional<Waiter> waiter = local.newestWaiter();
        boolean checks = waiter.isPresent() && waiter.get().isStarting();
        // read once: a caller that came this moment would be taken for one that was there
        TaskCarrier way = waiter.map(Waiter::stream).or(local::openSession).orElse(null);
        next(open).ifPresent(question -> match(local, task, question, way, checks));
        waiter.ifPresent(Waiter::checked);
    }

    /** Returns the question that is being delivered; otherwise the first. */
    private static Optional<TaskQuestion> next(List<TaskQuestion> open) {
        return open.stream()
                .filter(question -> question.delivery() != null)
                .findFirst()
                .or(() -> open.stream().findFirst());
    }

    /**
     * Starts the delivery of one question.
     *
     * @param way the best connection here; null for none
     * @param checks whether to check the connection that carries it
     */
    private void match(
            LocalTask local,
            StoredTask task,
            TaskQuestion question,
            @Nullable TaskCarrier way,
            boolean checks) {
        TaskQuestion.Delivery standing = question.delivery();
        QuestionDelivery delivery = standing == null ? null : local.delivery(standing).orElse(null);
        if (delivery != null) {
            matchKnown(local, task, delivery, way, checks);
        } else if (standing != null && way != null && local.isForgotten(standing)) {
            start(local, task, new QuestionDelivery(question, standing, way, null));
        } else if (way != null && (standing == null || alone) && local.takesQuestions(way)) {
            claim(local, task, question, way);
        } else if (checks) {
            changes.changed(local.id());
        }
    }

    private void matchKnown(
            LocalTask local,
            StoredTask task,
            QuestionDelivery delivery,
            @Nullable TaskCarrier way,
            boolean checks) {
        TaskCarrier carrier = delivery.carrier();
        TaskCarrier next = way != null && LocalTask.replaces(way, carrier) ? way : null;
        if (local.isLive(delivery)) {
            if (checks && next != null) {
                carrier.checkConnected();
            } else {
                delivery.check();
            }
        } else if (next != null) {
            claim(local, task, delivery.asClaimed(), next);
        } else if (delivery.isContested()) {
            release(local, task, delivery);
        }
    }

    /** Leaves a question to another node. */
    private void release(LocalTask local, StoredTask task, QuestionDelivery delivery) {
        int ordinal = delivery.question().ordinal();
        local.leavesQuestions();
        if (store.deliver(task.owner(), task.id(), ordinal, delivery.claim(), null)) {
            delivery.withdraw();
            changes.changed(task.id());
        }
    }

    private void claim(LocalTask local, StoredTask task, TaskQuestion question, TaskCarrier way) {
        TaskQuestion.Delivery standing = question.delivery();
        TaskCarrier.Prepared prepared = way.prepare(question.params());
        String name = prepared == null ? ids.next().value() : prepared.name();
        TaskQuestion.Delivery claim = new TaskQuestion.Delivery(name, way.isResultStream());
        local.claims(claim); // registered before it is stored: the store may fail and have it
        if (store.deliver(local.owner(), local.id(), question.ordinal(), standing, claim)) {
            local.deliveries().stream()
                    .filter(delivery -> delivery.claim().equals(standing))
                    .forEach(QuestionDelivery::withdraw);
            if (standing != null) {
                changes.changed(local.id()); // the node that lost the question withdraws it
            }
            start(local, task, new QuestionDelivery(question, claim, way, prepared));
        }
    }

    // ---- one delivery

    private void start(LocalTask local, StoredTask task, QuestionDelivery delivery) {
        locals.change(task, known -> known.add(delivery));
        Thread.ofVirtual()
                .name("mcp-task-question")
                .start(
                        () -> {
                            try {
                                deliver(local, task, delivery);
                            } finally {
                                locals.changeKnown(task.id(), known -> known.remove(delivery));
                            }
                        });
    }

    private void deliver(LocalTask local, StoredTask task, QuestionDelivery delivery) {
        try {
            if (!stands(task, delivery)) {
                return;
            }
            TaskOutcome answer = ask(task, delivery);
            if (answer == null) {
                locals.changeKnown(task.id(), known -> known.failed(delivery.carrier()));
                giveUp(task, delivery);
            } else {
                accept(local, task, delivery, answer);
            }
        } catch (EventStoreException e) { // the connection may still work
            LOGGER.log(Level.DEBUG, "A question of task " + task.id() + " was not stored", e);
            giveUpAfterPause(task, delivery);
        } catch (InterruptedException e) {
            LOGGER.log(Level.DEBUG, "A question of task {0} was withdrawn", task.id());
        } catch (TaskStoreException e) {
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    "",
                    e,
                    "The answer of task {0} was not stored",
                    task.id());
        }
    }

    /**
     * Returns whether the question still waits for this delivery. The delivery before may have
     * brought the answer, and the task may have ended, before this one was registered and could be
     * withdrawn.
     */
    private boolean stands(StoredTask task, QuestionDelivery delivery) throws InterruptedException {
        return persistence.until(
                task.expiresAt(),
                () -> delivery.standsIn(store.questions(task.owner(), task.id())));
    }

    /** Returns the answer; null if there will be none over this connection. */
    private static @Nullable TaskOutcome ask(StoredTask task, QuestionDelivery delivery)
            throws InterruptedException {
        if (!delivery.interrupts().begin()) {
            throw new InterruptedException();
        }
        try {
            return delivery.ask(task);
        } catch (EventStoreException e) {
            throw e;
        } catch (CallException e) {
            LOGGER.log(Level.DEBUG, "A question of task {0} has lost its way", task.id());
            return null;
        } catch (RuntimeException e) {
            LimitedLog.failed(
                    LOGGER,
                    Level.ERROR,
                    "",
                    e,
                    "A question of task {0} was not delivered",
                    task.id());
            return null;
        } finally {
            delivery.interrupts().end();
        }
    }

    private void accept(
            LocalTask local, StoredTask task, QuestionDelivery delivery, TaskOutcome answer)
            throws InterruptedException {
        int ordinal = delivery.question().ordinal();
        boolean accepted =
                persistence.until(
                        task.expiresAt(),
                        () -> store.answer(task.owner(), task.id(), ordinal, answer));
        changes.changed(task.id()); // in any case: an attempt that failed may have stored it
        if (accepted) {
            changes.sendState(local);
            match(local); // another question may have waited for this one
        } else {
            LOGGER.log(Level.DEBUG, "An answer for task {0} came too late", task.id());
        }
    }

    /**
     * Gives a delivery up after a pause, so that an open connection is not tried again at once
     * while the store is down.
     */
    private void giveUpAfterPause(StoredTask task, QuestionDelivery delivery) {
        try {
            Wake.pause(timers, AGAIN);
            giveUp(task, delivery);
        } catch (InterruptedException e) {
            LOGGER.log(Level.DEBUG, "A question of task {0} was withdrawn", task.id());
        } catch (TaskStoreException e) {
            LimitedLog.failed(
                    LOGGER, Level.WARNING, "", e, "A question of task {0} is stuck", task.id());
        }
    }

    /** Removes a delivery from this node once the store has removed it. */
    private void giveUp(StoredTask task, QuestionDelivery delivery) throws InterruptedException {
        TaskId id = task.id();
        int ordinal = delivery.question().ordinal();
        persistence.until(
                task.expiresAt(),
                () -> store.deliver(task.owner(), id, ordinal, delivery.claim(), null));
        locals.changeKnown(id, known -> known.remove(delivery));
        changes.changed(id);
        locals.find(id).ifPresent(this::match);
    }
}
