package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.Awaiting;

import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/**
 * A client that writes its messages by itself, over any transport. Messages that come before the
 * one that is waited for are kept. For use by one thread.
 */
abstract class RawClient implements AutoCloseable {
    private final Deque<JsonObject> kept = new ArrayDeque<>();
    private long lastId;

    /** Sends a message. */
    abstract void send(String json) throws Exception;

    /** Waits for the next message, whichever it is. */
    abstract JsonObject next() throws Exception;

    /** Greets the server and gives the result of {@code initialize}. */
    JsonObject initialize(String capabilities) throws Exception {
        JsonObject result =
                result(
                        "initialize",
                        JsonObject.of(
                                "protocolVersion",
                                "2025-11-25",
                                "capabilities",
                                JsonValue.parse(capabilities),
                                "clientInfo",
                                JsonObject.of("name", "raw", "version", "1")));
        send("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
        return result;
    }

    /** A request that was sent. */
    final class Pending {
        private final long id;

        private Pending(long id) {
            this.id = id;
        }

        long id() {
            return id;
        }

        /** Waits for the result. */
        @CanIgnoreReturnValue
        JsonObject result() throws Exception {
            JsonObject response = response();
            assertThat(response.has("error")).as(response.toJson()).isFalse();
            return response.object("result");
        }

        /** Waits for the error. */
        JsonObject error() throws Exception {
            JsonObject response = response();
            assertThat(response.has("error")).as(response.toJson()).isTrue();
            return response.object("error");
        }

        private JsonObject response() throws Exception {
            return await(
                    message ->
                            !message.has("method") && JsonValue.of(id).equals(message.get("id")));
        }
    }

    /** Sends a request. */
    @CheckReturnValue
    Pending request(String method, JsonObject params) throws Exception {
        lastId++;
        send(
                JsonObject.of("jsonrpc", "2.0", "id", lastId, "method", method, "params", params)
                        .toJson());
        return new Pending(lastId);
    }

    /** Sends a request whose response the test does not look at; gives its id. */
    long sendUnanswered(String method, JsonObject params) throws Exception {
        return request(method, params).id();
    }

    /** Leaves room for the ids of another client in the same session. */
    final void useIdsBeyond(RawClient other) {
        lastId = other.lastId + 1_000;
    }

    /** Sends a request and waits for its result. */
    JsonObject result(String method, JsonObject params) throws Exception {
        return request(method, params).result();
    }

    /** Sends a request and waits for its error. */
    JsonObject error(String method, JsonObject params) throws Exception {
        return request(method, params).error();
    }

    /** Waits for a request or notification. */
    JsonObject awaitMethod(String method) throws Exception {
        return await(message -> isMethod(message, method));
    }

    /** Waits for a request that belongs to a task: others may be asked again, and withdrawn. */
    JsonObject awaitQuestion(String method, JsonObject task) throws Exception {
        return await(message -> isMethod(message, method) && id(task).equals(relatedTask(message)));
    }

    /** Waits for a request that belongs to no task. */
    JsonObject awaitPlainQuestion(String method) throws Exception {
        return await(message -> isMethod(message, method) && relatedTask(message) == null);
    }

    /** Returns whether a question has come that is to be a task of the client. */
    boolean wasAskedForTask() {
        return kept.stream()
                .anyMatch(
                        message ->
                                message.get("params") instanceof JsonObject params
                                        && params.has("task"));
    }

    /** Returns whether a request or notification has come, without waiting for it. */
    boolean hasReceived(String method) {
        return kept.stream().anyMatch(message -> isMethod(message, method));
    }

    private static boolean isMethod(JsonObject message, String method) {
        return message.has("method") && message.string("method").equals(method);
    }

    private static @Nullable JsonValue relatedTask(JsonObject message) {
        return message.object("params").get("_meta") instanceof JsonObject meta
                ? meta.get("io.modelcontextprotocol/related-task")
                : null;
    }

    private JsonObject await(Predicate<JsonObject> wanted) throws Exception {
        for (JsonObject message : kept) {
            if (wanted.test(message)) {
                kept.remove(message);
                return message;
            }
        }
        JsonObject message = next();
        while (!wanted.test(message)) {
            kept.add(message);
            message = next();
        }
        return message;
    }

    /** Answers a request of the server. */
    void respond(JsonObject request, JsonObject result) throws Exception {
        send(JsonObject.of("jsonrpc", "2.0", "id", request.get("id"), "result", result).toJson());
    }

    // ---- tools and tasks

    /** The answer to a form in which one field is filled in. */
    static JsonObject accepted(String field, String value) {
        return JsonObject.of("action", "accept", "content", JsonObject.of(field, value));
    }

    /** The parameters of a call. */
    static JsonObject call(String tool, JsonObject arguments) {
        return JsonObject.of("name", tool, "arguments", arguments);
    }

    /** The parameters of a call as a task. */
    static JsonObject taskCall(String tool, JsonObject arguments, @Nullable Long ttl) {
        return JsonObject.of(
                "name",
                tool,
                "arguments",
                arguments,
                "task",
                ttl == null ? JsonObject.EMPTY : JsonObject.of("ttl", ttl));
    }

    /** Starts a task and gives it as it was created. */
    JsonObject start(String tool, JsonObject arguments) throws Exception {
        return result("tools/call", taskCall(tool, arguments, null)).object("task");
    }

    /** The task now. */
    JsonObject task(JsonObject task) throws Exception {
        return result("tasks/get", id(task));
    }

    /** Asks for the task until it has this status. */
    void awaitStatus(JsonObject task, String status) {
        looking("the task is " + status).until(() -> task(task).string("status").equals(status));
    }

    /** Polls in intervals: each poll is a call, and calls are limited. */
    static ConditionFactory looking(String what) {
        return Awaiting.await(what).pollInterval(Duration.ofMillis(20));
    }

    /** The parameters that name a task. */
    static JsonObject id(JsonObject task) {
        return JsonObject.of("taskId", task.string("taskId"));
    }

    /** The first text of a result. */
    static String text(JsonObject result) {
        return ((JsonObject) result.array("content").get(0)).string("text");
    }

    @Override
    public abstract void close() throws Exception;
}
