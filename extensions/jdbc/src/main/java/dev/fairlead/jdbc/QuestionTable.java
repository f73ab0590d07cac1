package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.TaskRows.HELD;
import static dev.fairlead.jdbc.TaskRows.OPEN;
import static dev.fairlead.jdbc.TaskRows.SEEN;
import static dev.fairlead.jdbc.TaskRows.UPDATED;

import dev.fairlead.jdbc.engine.Row;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.AnsweredQuestion;
import dev.fairlead.tasks.NewTask;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskQuestion;
import dev.fairlead.tasks.TaskQuestion.Asked;
import dev.fairlead.tasks.TaskQuestion.Delivery;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskSnapshot;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The questions of tasks. Asking and answering lock the task first, so that its state shows whether
 * a question is open.
 */
final class QuestionTable {
    private static final String STATE =
            "update mcp_task set state = ?, " + UPDATED + " where seq = ?";

    /**
     * A task with its outcome and its open questions, one in each row. Takes the time, id and
     * access. An ended task, which may still have rows of questions, is one row.
     */
    private static final String FIND =
            "select "
                    + SEEN
                    + ", outcome, ordinal, digest, asked, params, delivery, on_result_stream"
                    + " from mcp_task"
                    + " left join (select task, ordinal, digest, method as asked, params, delivery,"
                    + " on_result_stream from mcp_question where answer_state is null) question"
                    + " on question.task = mcp_task.seq and state = 'INPUT_REQUIRED'"
                    + " where id = ? and access = ? order by ordinal";

    private final StoreAccess access;

    QuestionTable(StoreAccess access) {
        this.access = access;
    }

    List<Asked> ask(TaskRun run, List<TaskQuestion> questions) {
        return access.transact(s -> ask(s, held(s, run), questions));
    }

    private List<Asked> ask(SqlSession s, Optional<Long> task, List<TaskQuestion> questions)
            throws SQLException {
        List<Asked> asked = new ArrayList<>();
        for (TaskQuestion question : questions) {
            asked.add(task.isEmpty() ? new Asked.Lost() : ask(s, task.get(), question));
        }
        return asked;
    }

    /** Locks the task of a run, if the run holds it. */
    private Optional<Long> held(SqlSession s, TaskRun run) throws SQLException {
        return lock(s, HELD, access.inRun(run));
    }

    private static Optional<Long> lock(SqlSession s, String condition, @Nullable Object... values)
            throws SQLException {
        return s.first(
                "select seq from mcp_task where " + condition + " {for update}",
                row -> row.number("seq"),
                values);
    }

    private Asked ask(SqlSession s, long task, TaskQuestion question) throws SQLException {
        Optional<Asked> earlier =
                s.first(
                        "select digest, answer_state, answer from mcp_question"
                                + " where task = ? and ordinal = ?",
                        row -> earlier(row, question.digest()),
                        task,
                        question.ordinal());
        if (earlier.isPresent()) {
            return earlier.get();
        }
        s.update(
                "insert into mcp_question (task, ordinal, digest, method, params)"
                        + " values (?, ?, ?, ?, ?)",
                task,
                question.ordinal(),
                Texts.encode(question.digest()),
                Texts.encode(question.method()),
                question.params().toJson());
        s.update(STATE, TaskState.INPUT_REQUIRED.name(), access.now(), task);
        return new Asked.Open();
    }

    /** Adds the questions of a task that has just been stored, which have their answers already. */
    static void addAnswered(SqlSession s, NewTask task) throws SQLException {
        int ordinal = 0;
        for (AnsweredQuestion question : task.answers()) {
            ordinal++;
            s.update(
                    "insert into mcp_question (task, ordinal, digest, method, params, answer_state,"
                            + " answer) select seq, ?, ?, ?, ?, ?, ? from mcp_task where id = ?",
                    ordinal,
                    Texts.encode(question.digest()),
                    Texts.encode(question.method()),
                    RawJson.EMPTY_OBJECT.toJson(),
                    question.answer().state().name(),
                    TaskRows.text(question.answer()),
                    Texts.encode(task.id().value()));
        }
    }

    private static Asked earlier(Row row, String digest) throws SQLException {
        if (!Texts.decode(row.text("digest")).equals(digest)) {
            return new Asked.Mismatch();
        }
        String state = row.textOrNull("answer_state");
        return state == null
                ? new Asked.Open()
                : new Asked.Answered(
                        TaskRows.outcome(TaskState.valueOf(state), row.text("answer")));
    }

    Optional<TaskOutcome> answer(TaskRun run, int ordinal) {
        return access.first(
                "select answer_state, answer from mcp_question where ordinal = ?"
                        + " and answer_state is not null and task ="
                        + " (select seq from mcp_task where "
                        + HELD
                        + ")",
                row ->
                        TaskRows.outcome(
                                TaskState.valueOf(row.text("answer_state")), row.text("answer")),
                ordinal,
                access.inRun(run));
    }

    Optional<TaskSnapshot> snapshot(Owner owner, TaskId id) {
        List<Found> rows =
                access.list(FIND, QuestionTable::found, access.now(), access.owned(owner, id));
        return rows.stream()
                .findFirst()
                .map(first -> new TaskSnapshot(first.task(), questions(rows), first.outcome()));
    }

    /** Reads the tasks of the owner that wait for answers, of which there are not many. */
    Optional<TaskStore.Delivered> delivered(Owner owner, String delivery) {
        return access.first(
                "select t.id, ordinal, digest, q.method as asked, params, delivery,"
                        + " on_result_stream from mcp_task t join mcp_question q on q.task = t.seq"
                        + " where t.owner = ? and t.access = ? and t.state = 'INPUT_REQUIRED'"
                        + " and t.expires > {now} and answer_state is null and delivery = ?",
                row ->
                        new TaskStore.Delivered(
                                new TaskId(Texts.decode(row.text("id"))),
                                Objects.requireNonNull(question(row))),
                access.owner(owner),
                access.access(owner),
                access.now(),
                Texts.encode(delivery));
    }

    private static Found found(Row row) throws SQLException {
        StoredTask task = TaskRows.seen(row);
        String outcome = row.textOrNull("outcome");
        return new Found(
                task,
                question(row),
                outcome == null || task.state() == TaskState.EXPIRED
                        ? null
                        : TaskRows.outcome(task.state(), outcome));
    }

    /** The questions of one that is just found to have expired are no longer open. */
    private static List<TaskQuestion> questions(List<Found> rows) {
        return rows.getFirst().task().state().isEnded()
                ? List.of()
                : rows.stream().map(Found::question).filter(Objects::nonNull).toList();
    }

    /** A row of {@link #FIND}. */
    private record Found(
            StoredTask task, @Nullable TaskQuestion question, @Nullable TaskOutcome outcome) {}

    private static @Nullable TaskQuestion question(Row row) throws SQLException {
        String digest = row.textOrNull("digest");
        if (digest == null) {
            return null;
        }
        String delivery = row.textOrNull("delivery");
        return new TaskQuestion(
                (int) row.number("ordinal"),
                Texts.decode(digest),
                Texts.decode(row.text("asked")),
                TaskRows.json(row.text("params")),
                delivery == null
                        ? null
                        : new Delivery(Texts.decode(delivery), row.flag("on_result_stream")));
    }

    /**
     * Takes over the delivery of a question, but not for a dead node, since no other node would
     * free its claim. Locks the task first, as all writers of questions do.
     */
    boolean deliver(
            Owner owner,
            TaskId id,
            int ordinal,
            @Nullable Delivery expected,
            @Nullable Delivery next,
            long node) {
        return access.change(
                id,
                "update mcp_question set delivery = cast(? as text),"
                        + " on_result_stream = cast(? as boolean),"
                        + " delivery_node = cast(? as bigint) where ordinal = ?"
                        + " and answer_state is null and delivery is not"
                        + " distinct from cast(? as text) and on_result_stream"
                        + " is not distinct from cast(? as boolean) and task ="
                        + " (select seq from mcp_task where "
                        + OPEN
                        + " {for update}) and exists "
                        + NodeTable.ALIVE,
                values(next),
                next == null ? null : node,
                ordinal,
                values(expected),
                access.owned(owner, id),
                access.now(),
                node);
    }

    private static List<@Nullable Object> values(@Nullable Delivery delivery) {
        return delivery == null
                ? Arrays.asList(null, null)
                : List.of(Texts.encode(delivery.id()), delivery.onResultStream());
    }

    /** The lock on the task keeps messages apart that answer the same questions. */
    Set<Integer> answer(Owner owner, TaskId id, Map<Integer, TaskOutcome> answers) {
        return access.transact(
                s -> {
                    Optional<Long> task = lock(s, OPEN, access.owned(owner, id), access.now());
                    return task.isPresent() ? answer(s, task.get(), answers) : Set.of();
                });
    }

    boolean withdraw(TaskRun run, int ordinal, TaskOutcome answer) {
        return access.transact(
                s -> {
                    Optional<Long> task = held(s, run);
                    return task.isPresent()
                            && !answer(s, task.get(), Map.of(ordinal, answer)).isEmpty();
                });
    }

    private Set<Integer> answer(SqlSession s, long task, Map<Integer, TaskOutcome> answers)
            throws SQLException {
        Set<Integer> answered = new HashSet<>();
        for (Map.Entry<Integer, TaskOutcome> answer : answers.entrySet()) {
            if (answer(s, task, answer.getKey(), answer.getValue())) {
                answered.add(answer.getKey());
            }
        }
        if (!answered.isEmpty()) {
            s.update(
                    STATE
                            + " and not exists (select 1 from mcp_question"
                            + " where task = mcp_task.seq and answer_state is null)",
                    TaskState.WORKING.name(),
                    access.now(),
                    task);
        }
        return answered;
    }

    private static boolean answer(SqlSession s, long task, int ordinal, TaskOutcome answer)
            throws SQLException {
        return s.update(
                        "update mcp_question set answer_state = ?, answer = ?, delivery = null,"
                                + " on_result_stream = null, delivery_node = null"
                                + " where task = ? and ordinal = ? and answer_state is null",
                        answer.state().name(),
                        TaskRows.text(answer),
                        task,
                        ordinal)
                > 0;
    }
}
