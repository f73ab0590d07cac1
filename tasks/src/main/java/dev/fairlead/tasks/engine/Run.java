package dev.fairlead.tasks.engine;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Progress;
import dev.fairlead.tasks.Recorded;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskStoreException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A run on this node, from when its task is stored until its handler has stopped, and what the
 * handler sees of it. Interrupts of the handler never hit the store or a carrier.
 */
final class Run implements TaskContext {
    /** An outside job that the task is to wait for. */
    record Parking(String job, @Nullable Duration pollEvery) {}

    private final Runs runs;
    private final NodeParts parts;
    private final TaskRun key;
    private final RawJson origin;
    private final LocalTask local;
    private final Interrupts interrupts = new Interrupts();
    private final RunTime time;
    private final Reporting reporting;
    private volatile StoredTask task;
    private volatile boolean stored;
    private boolean begun; // guarded by this
    private int lastOrdinal; // guarded by this
    private volatile List<QuestionBatch> asking = List.of(); // written under this
    private volatile @Nullable Parking parking;

    Run(Runs runs, NodeParts parts, StoredTask task, RawJson origin, LocalTask local) {
        this.runs = runs;
        this.parts = parts;
        this.key = task.key();
        this.task = task;
        this.origin = origin;
        this.local = local;
        this.time = new RunTime(this, runs, parts);
        this.reporting = new Reporting(this, parts);
    }

    // ---- for the node

    TaskRun key() {
        return key;
    }

    /** What its task is of, such as the tool. */
    String name() {
        return task.name();
    }

    LocalTask local() {
        return local;
    }

    Interrupts interrupts() {
        return interrupts;
    }

    /** Something about the task has changed. */
    void wake() {
        asking.forEach(batch -> batch.wake.wake());
    }

    /** Tells the handler to stop; one that has not begun never does. */
    void stop(String reason) {
        if (interrupts.stop(reason)) {
            wake(); // whoever asks may be another thread than that of the run
            if (begin()) {
                runs.gone(this);
            }
        }
    }

    /** The run is to begin; false if it did, or was told to stop before. */
    synchronized boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /** The task as the store has it, known only after the run. */
    void stored(StoredTask created) {
        task = created;
        stored = true;
    }

    /** Whether its handler has not ended yet. */
    boolean isAtWork() {
        return !interrupts.isOver();
    }

    /** Whether there is nothing that somebody who comes now would have to be told. */
    boolean isQuiet() {
        return !isAsking() && !reporting.hasBegun() && isAtWork();
    }

    /** Whether the task is known to be stored: before that nobody need find it. */
    boolean isStored() {
        return stored;
    }

    boolean isAsking() {
        return !asking.isEmpty();
    }

    RunTime time() {
        return time;
    }

    Reporting reporting() {
        return reporting;
    }

    @Nullable Parking parking() {
        return parking;
    }

    /** The handler has stopped; waits until nobody else ends the task any more. */
    void stopped() {
        wake(); // other threads may still ask
        time.stopped();
        reporting.stop();
    }

    // ---- for the work

    @Override
    public StoredTask task() {
        return task;
    }

    @Override
    public RawJson origin() {
        return origin;
    }

    @Override
    public boolean isStopped() {
        return interrupts.isStopped();
    }

    @Override
    public Optional<String> stopReason() {
        return interrupts.reason();
    }

    @Override
    public @Nullable TaskCarrier carrier() {
        return isStopped() ? null : Telling.way(local);
    }

    @Override
    public void limit(Duration most, TaskOutcome whenOver) {
        time.limit(most, whenOver);
    }

    @Override
    public Instant deadline() {
        return time.deadline();
    }

    @Override
    public <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception {
        return interrupts.uninterrupted(action);
    }

    @Override
    public void status(String message) {
        interrupts.shielded(
                () -> {
                    reporting.status(message);
                    return null;
                });
    }

    @Override
    public void progress(Progress report) {
        interrupts.shielded(
                () -> {
                    reporting.progress(report);
                    return null;
                });
    }

    // ---- questions

    /** The stack of this stays in memory for as long as a person thinks: few frames. */
    @Override
    public List<TaskOutcome> ask(List<InputRequest> requests) throws InterruptedException {
        QuestionBatch batch = new QuestionBatch(firstOrdinal(requests.size()), requests);
        add(batch);
        time.pause(); // known before the questions are: who comes meanwhile looks for them
        try {
            open(batch);
            while (batch.isOpen()) {
                if (batch.wake.isDue()) {
                    aside(() -> batch.read(parts.store(), key));
                } else if (Thread.interrupted()) {
                    throw new InterruptedException(stopReason().orElse(null));
                } else {
                    LockSupport.park(this);
                }
            }
            return batch.answers();
        } catch (InterruptedException e) {
            withdraw(batch);
            throw e;
        } finally {
            remove(batch);
            time.resume();
        }
    }

    private synchronized int firstOrdinal(int questions) {
        int first = lastOrdinal + 1;
        lastOrdinal += questions;
        return first;
    }

    private synchronized void add(QuestionBatch batch) {
        List<QuestionBatch> all = new ArrayList<>(asking);
        all.add(batch);
        checkBounds(batch, all);
        asking = List.copyOf(all);
    }

    private void checkBounds(QuestionBatch batch, List<QuestionBatch> all) {
        int mostBytes = parts.limits().maxQuestionBytes();
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
        int most = parts.limits().maxOpenQuestions();
        if (all.stream().mapToInt(one -> one.questions().size()).sum() > most) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR,
                    "Limit of open questions of a task reached ("
                            + most
                            + "); raise Tasks.maxOpenQuestions");
        }
    }

    private synchronized void remove(QuestionBatch batch) {
        asking = asking.stream().filter(other -> other != batch).toList();
    }

    /** Stores the questions, and has those offered to the requestor that have no answer yet. */
    private void open(QuestionBatch batch) throws InterruptedException {
        List<TaskQuestion.Asked> stored = aside(() -> store(batch));
        for (int i = 0; i < stored.size(); i++) {
            TaskQuestion question = batch.questions().get(i);
            switch (stored.get(i)) {
                case TaskQuestion.Asked.Answered answered ->
                        batch.answer(question, answered.answer());
                case TaskQuestion.Asked.Lost lost -> throw lost();
                case TaskQuestion.Asked.Mismatch mismatch -> throw differs(question);
                case TaskQuestion.Asked.Open open -> {}
            }
        }
    }

    private List<TaskQuestion.Asked> store(QuestionBatch batch) {
        List<TaskQuestion.Asked> stored =
                batch.questions().stream()
                        .map(question -> parts.store().ask(key, question))
                        .toList();
        if (stored.stream().anyMatch(TaskQuestion.Asked.Open.class::isInstance)) {
            offer();
        }
        return stored;
    }

    private void offer() {
        parts.news().changed(key.id());
        parts.telling().changed(local);
        if (Telling.way(local) != null) {
            parts.deliveries().match(local);
        }
    }

    /**
     * Answers for the requestor what has no answer yet, so that a later run gets the same; unless
     * the run is to stop anyway.
     */
    private void withdraw(QuestionBatch batch) throws InterruptedException {
        if (isStopped()) {
            return;
        }
        TaskOutcome withdrawn =
                new TaskOutcome.Error(
                        new JsonRpcError(ErrorCode.INTERNAL_ERROR, "The question was withdrawn"));
        for (TaskQuestion question : batch.open()) {
            stored(() -> parts.store().withdraw(key, question.ordinal(), withdrawn));
        }
        parts.news().changed(key.id());
    }

    private InterruptedException differs(TaskQuestion question) throws InterruptedException {
        String message =
                "Question "
                        + question.ordinal()
                        + " ("
                        + question.method()
                        + ") is not the one that an earlier run asked at its place";
        JsonRpcError error = new JsonRpcError(ErrorCode.INTERNAL_ERROR, message);
        stored(() -> parts.ending().end(task, new TaskOutcome.Error(error)));
        return lost();
    }

    /** The run no longer holds its task. */
    private InterruptedException lost() {
        interrupts.stop(Reasons.ENDED);
        Thread.interrupted();
        return new InterruptedException(Reasons.ENDED);
    }

    // ---- values

    @Override
    public RawJson once(String name, Callable<RawJson> compute) throws Exception {
        return switch (stored(() -> parts.store().recorded(key, name))) {
            case Recorded.Value recorded -> recorded.value();
            case Recorded.Lost lost -> throw lost();
            case Recorded.Nothing nothing -> record(name, compute.call());
        };
    }

    /** What has had its effect is recorded even if the run is to stop, if the store lets it. */
    private RawJson record(String name, RawJson value) throws InterruptedException {
        checkSize("A value of once", value.size(), parts.limits().maxValueBytes());
        return storedAnyhow(() -> parts.store().record(key, name, value)).orElseThrow(this::lost);
    }

    private static void checkSize(String what, long bytes, int most) {
        if (bytes > most) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR,
                    what + " has " + bytes + " bytes, more than the " + most + " that are kept");
        }
    }

    @Override
    public String idempotencyKey(String name) {
        return QuestionDigest.of(key.id().value() + " " + name);
    }

    @Override
    public void park(String job, @Nullable Duration pollEvery) {
        parking = new Parking(job, pollEvery);
    }

    // ---- the store

    /** What a store says, for which the run waits if it is down, until it is to stop or is over. */
    private <T> T stored(Supplier<T> call) throws InterruptedException {
        checkGoesOn();
        return storedAnyhow(call);
    }

    /** The same, waited for on few frames, since the run goes on to wait for a person. */
    private <T> T aside(Supplier<T> call) throws InterruptedException {
        if (!runs.storeBlocks()) {
            return stored(call);
        }
        checkGoesOn();
        try {
            return OffloadedCall.run(call);
        } catch (TaskStoreException e) {
            return storedLater(call);
        }
    }

    private void checkGoesOn() throws InterruptedException {
        if (isStopped() || interrupts.isOver()) {
            Thread.interrupted();
            throw new InterruptedException(stopReason().orElse(null));
        }
    }

    /** The same, once at least even if the run is to stop. */
    private <T> T storedAnyhow(Supplier<T> call) throws InterruptedException {
        try {
            return interrupts.shielded(call);
        } catch (TaskStoreException e) {
            return storedLater(call);
        }
    }

    private <T> T storedLater(Supplier<T> call) throws InterruptedException {
        try {
            return parts.persistence().later(task.expiresAt(), () -> interrupts.shielded(call));
        } catch (TaskStoreException e) {
            interrupts.stop(Reasons.EXPIRED);
            throw e;
        }
    }
}
