package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * A side that runs tasks, with a person behind its handler, and the raw peer that asks it over a
 * connection. For use by one thread.
 */
abstract class ReceiverBench implements AutoCloseable {
    final ScriptedPerson person;

    private final RawPeer peer;
    private final Map<JsonValue, JsonObject> early = new HashMap<>();
    private long lastId;

    /** Opens a side. */
    interface Opening {
        /**
         * @param tasks where it keeps them
         * @param rerun whether they run again after their process has died
         * @param interceptor around the requests of the peer
         */
        ReceiverBench open(Tasks tasks, boolean rerun, Interceptor interceptor) throws Exception;
    }

    ReceiverBench(ScriptedPerson person, RawPeer peer) {
        this.person = person;
        this.peer = peer;
    }

    /** The method that may become a task. */
    abstract String method();

    /** Its parameters, without {@code task}. */
    abstract JsonObject params();

    /** A plain result of the method, for which no person was asked. */
    abstract Result plain();

    /** Returns the answer of the person, from a result of the method. */
    abstract String said(JsonObject result);

    // ---- tasks

    /** Has a task created, and gives it as it was acknowledged. */
    JsonObject create(JsonObject task) {
        return result(method(), params().with("task", task)).object("task");
    }

    /** Has a task created, and gives its id. */
    JsonObject created() {
        return id(create(JsonObject.EMPTY).string("taskId"));
    }

    /** The parameters that name a task. */
    static JsonObject id(String task) {
        return JsonObject.of("taskId", task);
    }

    String status(JsonObject id) {
        return result("tasks/get", id).string("status");
    }

    // ---- requests

    /** Sends a request, and gives its id. */
    long send(String method, JsonObject params) {
        long id = ++lastId;
        peer.send(
                JsonObject.of("jsonrpc", "2.0", "id", id, "method", method, "params", params)
                        .toJson());
        return id;
    }

    /** The response to a request; other messages of the side are skipped. */
    JsonObject response(long id) {
        JsonValue wanted = JsonValue.of(id);
        @Nullable JsonObject response = early.remove(wanted);
        while (response == null) {
            JsonObject message = peer.next();
            if (wanted.equals(message.get("id"))) {
                response = message;
            } else if (!message.has("method")) {
                early.put(message.get("id"), message);
            }
        }
        return response;
    }

    JsonObject result(String method, JsonObject params) {
        return resultOf(response(send(method, params)));
    }

    static JsonObject resultOf(JsonObject response) {
        assertTrue(response.has("result"), response::toJson);
        return response.object("result");
    }

    JsonObject error(String method, JsonObject params) {
        JsonObject response = response(send(method, params));
        assertTrue(response.has("error"), response::toJson);
        return response.object("error");
    }

    /** Ends the side as its process would; its store stays. */
    @Override
    public void close() {
        peer.close();
    }

    static Revision revision() {
        return Revision.V2025_11_25;
    }
}
