package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.engine.Incident;
import dev.fairlead.protocol.engine.PeerError;
import dev.fairlead.protocol.platform.Sha256;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.tasks.Recorded;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskLimits;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs tasks, each on the thread of its run: calls the work with its {@link TaskContext}, and ends
 * or parks the task. One for all runs of a node.
 */
final class TaskRunner {
    private static final System.Logger LOGGER = System.getLogger(TaskRunner.class.getName());

    private final TaskWork work;
    private final Persistence store;
    private final TaskLimits limits;
    private final ChangePublisher changes;
    private final QuestionDeliveries deliveries;
    private final DeadlineTicker ticker;
    private final TaskConclusion conclusion;

    TaskRunner(
            TaskWork work,
            Persistence store,
            TaskLimits limits,
            ChangePublisher changes,
            QuestionDeliveries deliveries,
            DeadlineTicker ticker,
            TaskConclusion conclusion) {
        this.work = work;
        this.store = store;
        this.limits = limits;
        this.changes = changes;
        this.deliveries = deliveries;
        this.ticker = ticker;
        this.conclusion = conclusion;
    }

    /** Returns whether a run needs a platform thread. */
    boolean isBlocking(Run run) {
        return work.isBlocking(run.name());
    }

    /**
     * Returns the action of the thread of a run; it does nothing if the run was {@linkplain
     * Run#take taken}.
     */
    Runnable handler(Run run) {
        return new Context(run);
    }

    /** Returns the end of a task whose work threw; null if the run was stopped already. */
    private static @Nullable TaskOutcome failure(Run run, Throwable cause) {
        if (run.isStopped()) {
            return null;
        }
        return cause instanceof JsonRpcException known
                ? new TaskOutcome.Error(PeerError.response(known))
                : TaskConclusion.error(Incident.log("Task " + run.key().id() + " failed", cause));
    }

    private void end(Run run, @Nullable TaskOutcome outcome) {
        run.interrupts().end();
        try {
            if (outcome != null && !run.isStopped()) {
                settle(run, outcome);
            }
        } catch (RuntimeException e) {
            LimitedLog.failed(
                    LOGGER,
                    Level.ERROR,
                    "",
                    e,
                    "The end of task {0} was not stored",
                    run.key().id());
        } finally {
            try {
                run.stopped();
            } finally {
                run.gone();
            }
        }
    }

    private void settle(Run run, TaskOutcome outcome) {
        Run.Parking parking = run.parking();
        if (parking == null || outcome instanceof TaskOutcome.Error) {
            conclusion.conclude(run, outcome);
        } else {
            conclusion.park(run, parking);
        }
    }

    /**
     * The context of one run, and the action of its thread. Interrupts of the handler never hit the
     * store or a carrier.
     */
    final class Context implements TaskContext, Runnable {
        private final Run run;

        Context(Run run) {
            this.run = run;
        }

        /** Calls the work directly: fewer frames below a waiting handler take less memory. */
        @Override
        public void run() {
            if (!run.take()) {
                return;
            }
            TaskOutcome outcome = null;
            try {
                if (run.interrupts().begin()) {
                    outcome = work.run(this);
                }
            } catch (Throwable e) {
                outcome = failure(run, e);
            } finally {
                end(run, outcome);
            }
        }

        @Override
        public StoredTask task() {
            return run.task();
        }

        @Override
        public RawJson origin() {
            return run.origin();
        }

        @Override
        public boolean isStopped() {
            return run.isStopped();
        }

        @Override
        public Optional<String> stopReason() {
            return run.interrupts().reason();
        }

        @Override
        public @Nullable TaskCarrier carrier() {
            return run.isStopped() ? null : run.local().way().orElse(null);
        }

        @Override
        public void limit(Duration time, TaskOutcome whenOver) {
            Duration ttl = run.task().ttl();
            run.time().limit(time.compareTo(ttl) < 0 ? time : ttl, whenOver);
            ticker.watch(run.local());
        }

        @Override
        public Instant deadline() {
            return run.time().deadline(run.task().expiresAt());
        }

        @Override
        public <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception {
            return run.interrupts().uninterrupted(action);
        }

        @Override
        public String idempotencyKey(String name) {
            return Sha256.of(run.key().id().value() + " " + name);
        }

        @Override
        public void park(String job, @Nullable Duration pollEvery) {
            run.park(new Run.Parking(job, pollEvery));
        }

        // ---- reports

        @Override
        public void status(String message) {
            run.interrupts()
                    .shielded(
                            () -> {
                                if (update(TaskConclusion.cut(message), null)) {
                                    changes.sendState(run.local());
                                }
                                return null;
                            });
        }

        @Override
        public void progress(Progress report) {
            run.interrupts()
                    .shielded(
                            () -> {
                                if (!run.isStopped()) {
                                    run.progression(this::storeAndSend).report(report);
                                }
                                return null;
                            });
        }

        /** Sends a report after it has been stored, since no later run may fall behind it. */
        private void storeAndSend(Progress report) {
            if (update(null, report.progress())) {
                changes.sendProgress(run.local(), run.task(), report);
            }
        }

        /** Stores a report; returns false if that fails, and the work continues without it. */
        private boolean update(@Nullable String message, @Nullable Double progress) {
            run.reports();
            boolean stored = !run.isStopped() && store.report(run, message, progress);
            if (stored) {
                changes.changed(run.key().id());
            }
            return stored;
        }

        // ---- questions

        /** Asks with few frames: the stack stays in memory as long as a person thinks. */
        @Override
        public List<TaskOutcome> ask(List<RunQuestion> requests) throws InterruptedException {
            QuestionBatch batch = startAsking(requests);
            try {
                batch.store(this::offer);
                while (!isAnswered(batch)) {
                    LockSupport.park(this);
                }
                return batch.answers();
            } catch (InterruptedException e) {
                batch.takeInterrupt();
                withdraw(batch);
                throw e;
            } finally {
                stopAsking(batch);
            }
        }

        private QuestionBatch startAsking(List<RunQuestion> requests) {
            int first = run.firstOrdinal(requests.size());
            QuestionBatch batch = new QuestionBatch(store, run, first, requests);
            run.add(batch, all -> checkBounds(batch, all));
            run.time().pause(); // before the questions are open: a caller that comes meanwhile sees
            // them
            return batch;
        }

        private void stopAsking(QuestionBatch batch) {
            run.remove(batch);
            if (run.time().resume()) {
                ticker.watch(run.local());
            }
            if (batch.takeInterrupt()) {
                Thread.currentThread().interrupt();
            }
        }

        /** Handles answers and failures of a batch, without parking unless the store fails. */
        private boolean isAnswered(QuestionBatch batch) throws InterruptedException {
            while (batch.isDue()) {
                if (!batch.isOpen()) {
                    return true;
                }
                run.throwIfStopped();
                batch.repeatFailed();
                if (batch.isLost()) {
                    throw run.lost();
                } else if (batch.mismatch().isPresent()) {
                    throw differs(batch.mismatch().get());
                } else if (batch.hasFailed()) {
                    withdrawRest(batch);
                } else if (batch.takeInterrupt()) {
                    throw new InterruptedException(stopReason().orElse(null));
                }
            }
            return false;
        }

        /** Checks the limits; a refused question keeps its ordinal. */
        private void checkBounds(QuestionBatch batch, List<QuestionBatch> all) {
            int mostBytes = limits.maxQuestionBytes();
            for (TaskQuestion question : batch.questions()) {
                checkSize(
                        "Question " + question.ordinal() + " (" + question.method() + ")",
                        question.params().size(),
                        mostBytes);
            }
            checkSize(
                    "The set of open questions",
                    all.stream().mapToLong(QuestionBatch::bytes).sum(),
                    mostBytes);
            int most = limits.maxOpenQuestions();
            if (all.stream().mapToInt(one -> one.questions().size()).sum() > most) {
                throw new JsonRpcException(
                        ErrorCode.INTERNAL_ERROR,
                        "Limit of open questions of a task reached ("
                                + most
                                + "); raise Tasks.maxOpenQuestions");
            }
        }

        private void offer() {
            changes.changed(run.key().id());
            changes.sendState(run.local());
            if (run.local().way().isPresent()) {
                deliveries.match(run.local());
            }
        }

        /**
         * Withdraws the open questions, so that a later run gets the same answer; unless the run is
         * to stop anyway.
         */
        private void withdraw(QuestionBatch batch) throws InterruptedException {
            if (run.isStopped()) {
                return;
            }
            for (TaskQuestion question : batch.open()) {
                store.call(
                        run,
                        s -> s.withdraw(run.key(), question.ordinal(), TaskQuestion.WITHDRAWN));
            }
            changes.changed(run.key().id());
        }

        /**
         * Withdraws the open questions after one has failed; answers that came meanwhile are kept.
         */
        private void withdrawRest(QuestionBatch batch) throws InterruptedException {
            withdraw(batch);
            batch.accept(store.call(run, batch::read));
            if (batch.isOpen()) {
                throw run.lost();
            }
        }

        private InterruptedException differs(TaskQuestion question) throws InterruptedException {
            String message =
                    "Question %s (%s) is not the one that an earlier run asked at its place"
                            .formatted(question.ordinal(), question.method());
            store.call(run, s -> conclusion.end(run.task(), TaskConclusion.error(message)));
            return run.lost();
        }

        // ---- values

        @Override
        public RawJson once(String name, Callable<RawJson> compute) throws Exception {
            return switch (store.call(run, s -> s.recorded(run.key(), name))) {
                case Recorded.Value recorded -> recorded.value();
                case Recorded.Lost lost -> throw run.lost();
                case Recorded.Nothing nothing -> record(name, compute.call());
            };
        }

        /** Records a value even if the run is to stop, since its computation has had its effect. */
        private RawJson record(String name, RawJson value) throws InterruptedException {
            checkSize("A value of once", value.size(), limits.maxValueBytes());
            return store.callAnyhow(run, s -> s.record(run.key(), name, value))
                    .orElseThrow(run::lost);
        }

        private static void checkSize(String what, long bytes, int most) {
            if (bytes > most) {
                throw new JsonRpcException(
                        ErrorCode.INTERNAL_ERROR,
                        TaskConclusion.tooLarge(what + " has", bytes, most));
            }
        }
    }
}
