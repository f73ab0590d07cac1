package dev.fairlead.test.shared;

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
public abstract class RawClient implements AutoCloseable {
    private final Deque<JsonObject> kept = new ArrayDeque<>();
    private long lastId;

    /** Sends a message. */
    public abstract void send(String json) throws Exception;

    /** Waits for the next message, whichever it is. */
    public abstract JsonObject next() throws Exception;

    /** Greets the server and gives the result of {@code initialize}. */
    public JsonObject initialize(String capabilities) throws Exception {
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
    public final class Pending {
        private final long id;

        private Pending(long id) {
            this.id = id;
        }

        public long id() {
            return id;
        }

        /** Waits for the result. */
        @CanIgnoreReturnValue
        public JsonObject result() throws Exception {
            return member("result");
        }

        /** Waits for the error. */
        public JsonObject error() throws Exception {
            return member("error");
        }

        private JsonObject member(String name) throws Exception {
            JsonObject response =
                    await(
                            message ->
                                    !message.has("method")
                                            && JsonValue.of(id).equals(message.get("id")));
            if (!response.has(name)) {
                throw new AssertionError(response.toJson());
            }
            return response.object(name);
        }
    }

    /** Sends a request. */
    @CheckReturnValue
    public Pending request(String method, JsonObject params) throws Exception {
        lastId++;
        send(
                JsonObject.of("jsonrpc", "2.0", "id", lastId, "method", method, "params", params)
                        .toJson());
        return new Pending(lastId);
    }

    /** Sends a request whose response the test does not look at; gives its id. */
    public long sendUnanswered(String method, JsonObject params) throws Exception {
        return request(method, params).id();
    }

    /** Leaves room for the ids of another client in the same session. */
    public final void useIdsBeyond(RawClient other) {
        lastId = other.lastId + 1_000;
    }

    /** Sends a request and waits for its result. */
    public JsonObject result(String method, JsonObject params) throws Exception {
        return request(method, params).result();
    }

    /** Sends a request and waits for its error. */
    public JsonObject error(String method, JsonObject params) throws Exception {
        return request(method, params).error();
    }

    /** Waits for a request or notification. */
    public JsonObject awaitMethod(String method) throws Exception {
        return await(message -> isMethod(message, method));
    }

    /** Waits for a request that belongs to a task: others may be asked again, and withdrawn. */
    public JsonObject awaitQuestion(String method, JsonObject task) throws Exception {
        return await(message -> isMethod(message, method) && id(task).equals(relatedTask(message)));
    }

    /** Waits for a request that belongs to no task. */
    public JsonObject awaitPlainQuestion(String method) throws Exception {
        return await(message -> isMethod(message, method) && relatedTask(message) == null);
    }

    /** Returns whether a question has come that is to be a task of the client. */
    public boolean wasAskedForTask() {
        return kept.stream()
                .anyMatch(
                        message ->
                                message.get("params") instanceof JsonObject params
                                        && params.has("task"));
    }

    /** Returns whether a request or notification has come, without waiting for it. */
    public boolean hasReceived(String method) {
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
    public void respond(JsonObject request, JsonObject result) throws Exception {
        send(JsonObject.of("jsonrpc", "2.0", "id", request.get("id"), "result", result).toJson());
    }

    // ---- tools and tasks

    /** The answer to a form in which one field is filled in. */
    public static JsonObject accepted(String field, String value) {
        return JsonObject.of("action", "accept", "content", JsonObject.of(field, value));
    }

    /** The parameters of a call. */
    public static JsonObject call(String tool, JsonObject arguments) {
        return JsonObject.of("name", tool, "arguments", arguments);
    }

    /** The parameters of a call as a task. */
    public static JsonObject taskCall(String tool, JsonObject arguments, @Nullable Long ttl) {
        return JsonObject.of(
                "name",
                tool,
                "arguments",
                arguments,
                "task",
                ttl == null ? JsonObject.EMPTY : JsonObject.of("ttl", ttl));
    }

    /** Starts a task and gives it as it was created. */
    public JsonObject start(String tool, JsonObject arguments) throws Exception {
        return result("tools/call", taskCall(tool, arguments, null)).object("task");
    }

    /** The task now. */
    public JsonObject task(JsonObject task) throws Exception {
        return result("tasks/get", id(task));
    }

    /** Asks for the task until it has this status. */
    public void awaitStatus(JsonObject task, String status) {
        looking("the task is " + status).until(() -> task(task).string("status").equals(status));
    }

    /** Polls in intervals: each poll is a call, and calls are limited. */
    public static ConditionFactory looking(String what) {
        return Awaiting.await(what).pollInterval(Duration.ofMillis(20));
    }

    /** The parameters that name a task. */
    public static JsonObject id(JsonObject task) {
        return JsonObject.of("taskId", task.string("taskId"));
    }

    /** The first text of a result. */
    public static String text(JsonObject result) {
        return ((JsonObject) result.array("content").get(0)).string("text");
    }

    @Override
    public abstract void close() throws Exception;
}
