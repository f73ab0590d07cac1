package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.base.ProgressToken;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A task of an {@link InMemoryTaskStore}, guarded by its lock. Collections that only some tasks
 * need are created on demand, and the data of the run is dropped when the task ends, since a store
 * keeps many ended tasks.
 */
final class MemoryTask {
    final MemoryOwner owner;

    /** The position of the task in the order of creation. */
    final long sequence;

    final Instant expiresAt;

    private StoredTask stored;
    private @Nullable RawJson origin;
    private @Nullable TaskOutcome outcome;
    private @Nullable TreeMap<Integer, Place> questions;
    private @Nullable Map<String, RawJson> values;
    private @Nullable Polling polling;
    private long bytes;

    /** One question, in the order asked, with its answer. */
    private record Place(TaskQuestion question, @Nullable TaskOutcome answer) {}

    /** The interval at which the outside job is polled, and the next time. */
    private record Polling(Duration every, Instant next) {}

    MemoryTask(NewTask task, MemoryOwner owner, long sequence, Instant now) {
        this.owner = owner;
        this.sequence = sequence;
        this.origin = task.origin().detached();
        this.stored = StoredTask.created(task, now);
        task.answers().forEach(this::answered);
        task.values().forEach(this::record);
        this.bytes = bytes(task);
        this.expiresAt = stored.expiresAt();
    }

    /** Adds the next question, with its answer. */
    private void answered(AnsweredQuestion next) {
        int ordinal = questions().size() + 1;
        put(
                new TaskQuestion(ordinal, next.digest(), next.method(), RawJson.EMPTY_OBJECT, null),
                detached(next.answer()));
    }

    /** Returns the size of the contents of a new task in bytes, see {@link #bytes()}. */
    static long bytes(NewTask task) {
        long bytes = named(task.name(), task.progressToken()) + task.origin().size();
        for (AnsweredQuestion question : task.answers()) {
            bytes += MemoryBudget.of(question.answer());
        }
        for (Map.Entry<String, RawJson> value : task.values().entrySet()) {
            bytes += MemoryBudget.of(value.getKey()) + value.getValue().size();
        }
        return bytes;
    }

    private static long named(String name, @Nullable ProgressToken token) {
        return MemoryBudget.of(name) + (token == null ? 0 : MemoryBudget.of(token.toString()));
    }

    StoredTask stored() {
        return stored;
    }

    TakenTask taken() {
        return new TakenTask(stored, Objects.requireNonNull(origin, "origin"));
    }

    TaskSnapshot snapshot() {
        return new TaskSnapshot(stored, openQuestions(), outcome);
    }

    /** Returns the task for operators. */
    TaskOverview.Seen seen(String node) {
        boolean held = !isEnded() && stored.job() == null;
        String question =
                stored.state() == TaskState.INPUT_REQUIRED
                        ? openQuestions().stream()
                                .findFirst()
                                .map(TaskQuestion::method)
                                .orElse(null)
                        : null;
        return new TaskOverview.Seen(stored, held ? node : null, question);
    }

    /** Returns the size of the contents of variable length, in bytes. */
    long bytes() {
        return bytes;
    }

    boolean belongsTo(Owner requestor) {
        return stored.owner().equals(requestor) || owner.access.equals(requestor.access());
    }

    boolean isEnded() {
        return stored.state().isEnded();
    }

    boolean isHeldBy(TaskRun run) {
        return !isEnded() && stored.run() == run.number() && stored.job() == null;
    }

    boolean isParkedIn(TaskRun run) {
        return !isEnded() && stored.run() == run.number() && stored.job() != null;
    }

    /** Sets the state, and the status message unless it is null. */
    void become(TaskState state, @Nullable String message, Instant now) {
        boolean changes = state != stored.state() || message != null;
        if (message != null) {
            bytes += MemoryBudget.of(message) - MemoryBudget.of(stored.statusMessage());
        }
        stored =
                stored.withState(
                        state,
                        message == null ? stored.statusMessage() : message,
                        changes && now.isAfter(stored.lastUpdatedAt())
                                ? now
                                : stored.lastUpdatedAt());
    }

    void advance(double progress) {
        Double before = stored.progress();
        if (before == null || progress > before) {
            stored = stored.withProgress(progress);
        }
    }

    /** Ends the task, and drops the data of its run. */
    void end(TaskState state, @Nullable TaskOutcome gave, @Nullable String message, Instant now) {
        unpark(stored.run());
        become(state, message, now);
        origin = null;
        questions = null;
        values = null;
        outcome = gave == null ? null : detached(gave);
        bytes =
                named(stored.name(), stored.progressToken())
                        + MemoryBudget.of(stored.statusMessage())
                        + MemoryBudget.of(gave);
    }

    void park(String job, @Nullable Duration pollEvery, Instant now) {
        polling = pollEvery == null ? null : new Polling(pollEvery, now.plus(pollEvery));
        stored = stored.withJob(job);
        bytes += MemoryBudget.of(job);
    }

    void unpark(long nextRun) {
        polling = null;
        bytes -= MemoryBudget.of(stored.job());
        stored = stored.withJob(null).withRun(nextRun);
    }

    /** Returns whether its outside job is to be polled now; true once for each poll. */
    boolean isPollDue(Instant now) {
        Polling due = polling;
        if (due == null) {
            return false;
        }
        // A clock that was set back must not put the next poll off for long.
        Instant latest = now.plus(due.every());
        boolean reached = !due.next().isAfter(now);
        if (reached || due.next().isAfter(latest)) {
            polling = new Polling(due.every(), latest);
        }
        return reached;
    }

    /** Returns the state of a question; null if nothing was asked under its ordinal yet. */
    TaskQuestion.@Nullable Asked asked(TaskQuestion question) {
        Place place = questions == null ? null : questions.get(question.ordinal());
        if (place == null) {
            return null;
        }
        if (!place.question().digest().equals(question.digest())) {
            return new TaskQuestion.Asked.Mismatch();
        }
        TaskOutcome answer = place.answer();
        return answer == null
                ? new TaskQuestion.Asked.Open()
                : new TaskQuestion.Asked.Answered(answer);
    }

    private TreeMap<Integer, Place> questions() {
        TreeMap<Integer, Place> known = questions;
        if (known == null) {
            known = new TreeMap<>();
            questions = known;
        }
        return known;
    }

    void ask(TaskQuestion question, Instant now) {
        put(detached(question), null);
        bytes += question.params().size();
        become(TaskState.INPUT_REQUIRED, null, now);
    }

    private static TaskQuestion detached(TaskQuestion question) {
        return copy(question, question.params().detached(), question.delivery());
    }

    private static TaskQuestion copy(
            TaskQuestion question, RawJson params, TaskQuestion.@Nullable Delivery delivery) {
        return new TaskQuestion(
                question.ordinal(), question.digest(), question.method(), params, delivery);
    }

    private static TaskOutcome detached(TaskOutcome outcome) {
        return switch (outcome) {
            case TaskOutcome.Result result ->
                    new TaskOutcome.Result(result.value().detached(), result.failure());
            case TaskOutcome.Error error -> error;
        };
    }

    List<TaskQuestion> openQuestions() {
        return questions == null
                ? List.of()
                : questions.values().stream()
                        .filter(place -> place.answer() == null)
                        .map(Place::question)
                        .toList();
    }

    /** Returns the open question with an ordinal; null if there is none. */
    @Nullable TaskQuestion openQuestion(int ordinal) {
        Place place = questions == null ? null : questions.get(ordinal);
        return place == null || place.answer() != null ? null : place.question();
    }

    Optional<TaskOutcome> answer(int ordinal) {
        Place place = questions == null ? null : questions.get(ordinal);
        return place == null ? Optional.empty() : Optional.ofNullable(place.answer());
    }

    void deliver(TaskQuestion question, TaskQuestion.@Nullable Delivery delivery) {
        put(copy(question, question.params(), delivery), null);
    }

    /** Stores the answer; of the question, it keeps only the digest that identifies it. */
    void answer(TaskQuestion question, TaskOutcome answer, Instant now) {
        put(copy(question, RawJson.EMPTY_OBJECT, null), detached(answer));
        bytes += MemoryBudget.of(answer) - question.params().size();
        if (openQuestions().isEmpty()) {
            become(TaskState.WORKING, null, now);
        }
    }

    private void put(TaskQuestion question, @Nullable TaskOutcome answer) {
        questions().put(question.ordinal(), new Place(question, answer));
    }

    Optional<RawJson> value(String key) {
        return values == null ? Optional.empty() : Optional.ofNullable(values.get(key));
    }

    void record(String key, RawJson value) {
        if (values == null) {
            values = new HashMap<>();
        }
        values.put(key, value.detached());
        bytes += MemoryBudget.of(key) + value.size();
    }
}
