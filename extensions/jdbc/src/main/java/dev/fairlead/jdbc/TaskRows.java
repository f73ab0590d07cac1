package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Row;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** Reads rows of {@code mcp_task}, and has the conditions that statements share. */
final class TaskRows {
    /** The columns of a {@link StoredTask}. */
    static final String COLUMNS =
            "id, owner_key, method, name, token, state, message, created, updated, ttl, expires,"
                    + " run, rerunnable, job, progress";

    /** The columns that make up a task for a reader. Takes the time. */
    static final String SEEN = COLUMNS + ", expires <= {now} as due";

    static final String NOT_ENDED = "state in ('WORKING', 'INPUT_REQUIRED')";

    /** Has neither ended nor expired. Takes the time. */
    static final String UNFINISHED = NOT_ENDED + " and expires > {now}";

    /** Has ended before it expired. As the index of those has it, like the other two states. */
    static final String ENDED = "state not in ('WORKING', 'INPUT_REQUIRED', 'EXPIRED')";

    /** A task of an owner that has not ended. Takes id, access and the time. */
    static final String OPEN = "id = ? and access = ? and " + UNFINISHED;

    /** A task that a run holds, or that is parked in it. Takes id, access, run and the time. */
    static final String IN_RUN = "id = ? and access = ? and run = ? and " + UNFINISHED;

    /** A task that a run holds. Takes the same. */
    static final String HELD = IN_RUN + " and job_key is null";

    /** The time of a change, which never goes back. Takes the time. */
    static final String UPDATED = "updated = {greatest}(updated, {now})";

    /** Clears the columns that a task no longer has when it ends. */
    static final String UNPARKED = "job_key = null, job = null, poll_every = null, poll_at = null";

    private static final JsonCodec<JsonRpcError> ERROR = JsonCodec.of(JsonRpcError.class);

    private TaskRows() {}

    /** The task of {@link #COLUMNS}. */
    static StoredTask stored(Row row) throws SQLException {
        return task(row, TaskState.valueOf(row.text("state")));
    }

    /** The task of {@link #SEEN}: expired from the moment on when it expires. */
    static StoredTask seen(Row row) throws SQLException {
        return row.flag("due") ? task(row, TaskState.EXPIRED) : stored(row);
    }

    /** The task of {@link #COLUMNS} and {@code origin}. */
    static TakenTask taken(Row row) throws SQLException {
        return new TakenTask(stored(row), json(row.text("origin")));
    }

    private static StoredTask task(Row row, TaskState state) throws SQLException {
        long expires = row.number("expires");
        long updated = row.number("updated");
        boolean expired = state == TaskState.EXPIRED;
        return new StoredTask(
                new TaskId(Texts.decode(row.text("id"))),
                Owner.parse(row.text("owner_key")),
                Texts.decode(row.text("method")),
                Texts.decode(row.text("name")),
                token(row.textOrNull("token")),
                state,
                Texts.decodeOrNull(row.textOrNull("message")),
                Instant.ofEpochMilli(row.number("created")),
                Instant.ofEpochMilli(expired ? Math.max(updated, expires) : updated),
                Duration.ofMillis(row.number("ttl")),
                row.number("run"),
                row.flag("rerunnable"),
                expired ? null : Texts.decodeOrNull(row.textOrNull("job")),
                row.realOrNull("progress"));
    }

    static @Nullable String token(@Nullable ProgressToken token) {
        return token == null ? null : token.value().toJson();
    }

    private static @Nullable ProgressToken token(@Nullable String stored) {
        if (stored == null) {
            return null;
        }
        return switch (json(stored).value()) {
            case JsonString text -> new ProgressToken(text);
            case JsonNumber number -> new ProgressToken(number);
            default -> throw new IllegalStateException("no progress token: " + stored);
        };
    }

    static RawJson json(String stored) {
        return RawJson.parse(stored);
    }

    /** Returns how an outcome is stored, beside its state. */
    static String text(TaskOutcome outcome) {
        return switch (outcome) {
            case TaskOutcome.Result result -> result.value().toJson();
            case TaskOutcome.Error error -> ERROR.write(error.error()).toJson();
        };
    }

    /** The outcome that was stored so. */
    static TaskOutcome outcome(TaskState state, String stored) {
        return switch (state) {
            case RESULT -> new TaskOutcome.Result(json(stored), false);
            case FAILURE -> new TaskOutcome.Result(json(stored), true);
            case ERROR -> new TaskOutcome.Error(ERROR.read(json(stored)));
            case WORKING, INPUT_REQUIRED, CANCELLED, EXPIRED ->
                    throw new IllegalStateException("no outcome has the state " + state);
        };
    }
}
