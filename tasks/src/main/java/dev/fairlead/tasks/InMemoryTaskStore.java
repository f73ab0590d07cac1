package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Tasks in memory. */
final class InMemoryTaskStore implements TaskStore {
    @Override
    public void open(TaskNode node, Clock clock) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public StoredTask create(NewTask task, int maxActive) throws TooManyTasksException {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public Optional<StoredTask> find(Owner owner, TaskId id) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public Optional<TaskOutcome> outcome(Owner owner, TaskId id) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public TaskPage list(Owner owner, @Nullable String after, int limit) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public boolean cancel(Owner owner, TaskId id, @Nullable String statusMessage) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public boolean update(TaskRun run, @Nullable String statusMessage, @Nullable Double progress) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public boolean end(TaskRun run, TaskOutcome outcome, @Nullable String statusMessage) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public void release(TaskRun run) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public TaskQuestion.Asked ask(TaskRun run, TaskQuestion question) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public Optional<TaskOutcome> answer(TaskRun run, int ordinal) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public Optional<RawJson> record(TaskRun run, String key, RawJson value) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public Optional<RawJson> recorded(TaskRun run, String key) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public List<TaskQuestion> questions(Owner owner, TaskId id) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public boolean deliver(
            Owner owner,
            TaskId id,
            int ordinal,
            TaskQuestion.@Nullable Delivery expected,
            TaskQuestion.@Nullable Delivery next) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public boolean answer(Owner owner, TaskId id, int ordinal, TaskOutcome answer) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public boolean park(TaskRun run, String job, @Nullable Duration pollEvery) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public Optional<TakenTask> parked(String name, String job) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public Optional<TakenTask> resume(TaskRun parked) {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public Optional<Duration> sweepInterval() {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public void sweep() {
        throw new UnsupportedOperationException("comes with the engine");
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("comes with the engine");
    }
}
