package dev.fairlead.tasks.engine;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.TaskId;
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
 * Brings what this node does for a task in line with what the store says: a run that no longer
 * holds it stops, questions that others deliver or that are answered are withdrawn, and open ones
 * are delivered on the best way that there is.
 *
 * <p>Who delivers a question is a compare-and-set in the store, so that there is one live delivery
 * whatever nodes do at the same time. A session claims what nobody delivers; the stream of a {@code
 * tasks/result} also takes over from a session, and when it begins from any other delivery.
 */
final class Deliveries {
    /** After so long another attempt is made when the store fails. */
    static final Duration AGAIN = Duration.ofSeconds(1);

    private static final System.Logger LOGGER = System.getLogger(Deliveries.class.getName());

    private final TaskStore store;
    private final Timers timers;
    private final LocalTasks locals;
    private final News news;
    private final Telling telling;
    private final Persistence persistence;
    private final TaskIds ids = new TaskIds();

    Deliveries(
            TaskStore store,
            Timers timers,
            Persistence persistence,
            LocalTasks locals,
            News news,
            Telling telling) {
        this.store = store;
        this.timers = timers;
        this.persistence = persistence;
        this.locals = locals;
        this.news = news;
        this.telling = telling;
    }

    /** Looks after a task, on a thread of its own; one at a time for each task. */
    void match(LocalTask local) {
        if (local.beginMatching()) {
            Thread.ofVirtual().name("mcp-task-questions").start(() -> matchAll(local));
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
                LOGGER.log(Level.ERROR, "Questions of task " + local.id() + " are stuck", e);
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
        local.run()
                .filter(run -> run.key().number() != task.run())
                .ifPresent(run -> run.stop(Reasons.TAKEN_OVER));
        if (task.state() == TaskState.INPUT_REQUIRED || !local.deliveries().isEmpty()) {
            matchQuestions(local, task);
        }
    }

    private void matchQuestions(LocalTask local, StoredTask task) {
        List<TaskQuestion> open = store.questions(local.owner(), local.id());
        for (Delivery delivery : local.deliveries()) {
            if (!delivery.standsIn(open)) {
                delivery.withdraw();
            }
        }
        Optional<Waiter> waiter = local.newestWaiter();
        boolean starting = waiter.isPresent() && waiter.get().isStarting();
        // not asked for anew: a caller who came this moment would be taken for one who had started
        TaskCarrier way = waiter.map(Waiter::stream).or(local::openSession).orElse(null);
        if (way != null) {
            open.forEach(question -> claim(local, task, question, way, starting));
        }
        waiter.ifPresent(Waiter::hasStarted);
    }

    private void claim(
            LocalTask local,
            StoredTask task,
            TaskQuestion question,
            TaskCarrier way,
            boolean starting) {
        TaskQuestion.Delivery standing = question.delivery();
        if (standing != null && local.isForgotten(standing)) {
            start(local, task, new Delivery(question, standing, way));
            return;
        }
        boolean free =
                standing == null
                        || starting
                        || (way.isResultStream() && !standing.onResultStream());
        if (!free) {
            return;
        }
        TaskQuestion.Delivery claim =
                new TaskQuestion.Delivery(ids.next().value(), way.isResultStream());
        local.claims(claim); // known before it stands: the store may fail and have it
        if (store.deliver(local.owner(), local.id(), question.ordinal(), standing, claim)) {
            local.deliveries().stream()
                    .filter(delivery -> delivery.claim().equals(standing))
                    .forEach(Delivery::withdraw);
            if (standing != null) {
                news.changed(local.id()); // whoever has lost the question withdraws it
            }
            start(local, task, new Delivery(question, claim, way));
        }
    }

    // ---- one delivery

    private void start(LocalTask local, StoredTask task, Delivery delivery) {
        locals.change(
                task,
                known -> {
                    known.add(delivery);
                    return known;
                });
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

    private void deliver(LocalTask local, StoredTask task, Delivery delivery) {
        try {
            if (!stands(task, delivery)) {
                return;
            }
            TaskOutcome answer = ask(task, delivery);
            if (answer == null) {
                giveUp(task, delivery);
            } else {
                accept(local, task, delivery, answer);
            }
        } catch (InterruptedException e) {
            LOGGER.log(Level.DEBUG, "A question of task {0} was withdrawn", task.id());
        } catch (TaskStoreException e) {
            LOGGER.log(Level.WARNING, "The answer of task " + task.id() + " was not stored", e);
        }
    }

    /**
     * Whether the question still waits for this delivery. The one before may have brought the
     * answer, and the task may have ended, before this one was known to those who withdraw.
     */
    private boolean stands(StoredTask task, Delivery delivery) throws InterruptedException {
        return persistence.until(
                task.expiresAt(),
                () -> delivery.standsIn(store.questions(task.owner(), task.id())));
    }

    /** The answer; null if there will be none on this way. */
    private static @Nullable TaskOutcome ask(StoredTask task, Delivery delivery)
            throws InterruptedException {
        if (!delivery.interrupts().begin()) {
            throw new InterruptedException();
        }
        try {
            TaskQuestion question = delivery.question();
            return delivery.carrier().ask(task, question.method(), question.params());
        } catch (CallException e) {
            LOGGER.log(Level.DEBUG, "A question of task {0} has lost its way", task.id());
            return null;
        } catch (RuntimeException e) {
            LOGGER.log(Level.ERROR, "A question of task " + task.id() + " was not delivered", e);
            return null;
        } finally {
            delivery.interrupts().end();
        }
    }

    private void accept(LocalTask local, StoredTask task, Delivery delivery, TaskOutcome answer)
            throws InterruptedException {
        int ordinal = delivery.question().ordinal();
        boolean accepted =
                persistence.until(
                        task.expiresAt(),
                        () -> store.answer(task.owner(), task.id(), ordinal, answer));
        news.changed(task.id()); // in any case: an attempt that failed may have stored it
        if (accepted) {
            telling.changed(local);
        } else {
            LOGGER.log(Level.DEBUG, "An answer for task {0} came too late", task.id());
        }
    }

    /** What is given up is known as a delivery until the store knows that it is none any more. */
    private void giveUp(StoredTask task, Delivery delivery) throws InterruptedException {
        TaskId id = task.id();
        locals.changeKnown(id, known -> known.failed(delivery.carrier()));
        int ordinal = delivery.question().ordinal();
        persistence.until(
                task.expiresAt(),
                () -> store.deliver(task.owner(), id, ordinal, delivery.claim(), null));
        locals.changeKnown(id, known -> known.remove(delivery));
        news.changed(id);
        locals.find(id).ifPresent(this::match);
    }
}
