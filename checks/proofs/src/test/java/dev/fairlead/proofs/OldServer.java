package dev.fairlead.proofs;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A server over standard input and output that a library of its time could have made: one thread,
 * one message after the other, and {@code server/discover} is unknown. Its argument is its reaction
 * to an unknown request: {@code silent}, {@code exit}, {@code result}, {@code late MILLISECONDS} or
 * {@code code NUMBER}.
 */
final class OldServer {
    private static final List<JsonValue> SEEN = new ArrayList<>();

    private OldServer() {}

    public static void main(String... arguments) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonObject message = (JsonObject) JsonValue.parse(line);
            Optional<JsonObject> result = take(message, "2025-11-25");
            JsonValue id = message.get("id");
            if (result.isPresent()) {
                result(id, result.get());
            } else if (id != null) {
                answerUnknown(id, arguments);
            }
        }
    }

    /**
     * Takes a message that has come.
     *
     * @param revision that is agreed on if it is a handshake
     * @return the result, if it is a request that old servers know
     */
    static synchronized Optional<JsonObject> take(JsonObject message, String revision) {
        see(message.string("method"));
        return switch (message.string("method")) {
            case "initialize" ->
                    Optional.of(
                            JsonObject.of(
                                    "protocolVersion",
                                    revision,
                                    "capabilities",
                                    JsonObject.of("tools", JsonObject.EMPTY),
                                    "serverInfo",
                                    JsonObject.of("name", "old", "version", "1")));
            case "ping" -> Optional.of(JsonObject.EMPTY);
            case "tools/call" -> {
                String seen = new JsonArray(SEEN).toJson();
                SEEN.clear(); // the next call returns the messages after this one
                yield Optional.of(
                        JsonObject.of(
                                "content",
                                JsonArray.of(JsonObject.of("type", "text", "text", seen))));
            }
            default -> Optional.empty();
        };
    }

    /** Records a text for the next call of a tool. */
    static synchronized void see(String what) {
        SEEN.add(JsonValue.of(what));
    }

    private static void answerUnknown(JsonValue id, String... arguments)
            throws IOException, InterruptedException {
        switch (arguments[0]) {
            case "silent" -> {}
            case "exit" -> System.exit(3);
            case "result" -> result(id, JsonObject.EMPTY);
            case "late" -> {
                Thread.sleep(Long.parseLong(arguments[1])); // it is that slow
                send(error(id, -32601));
            }
            default -> send(error(id, Integer.parseInt(arguments[1])));
        }
    }

    static void result(JsonValue id, JsonObject result) throws IOException {
        send(response(id, result));
    }

    static JsonObject response(JsonValue id, JsonObject result) {
        return JsonObject.of("jsonrpc", "2.0", "id", id, "result", result);
    }

    static JsonObject error(JsonValue id, int code) {
        return JsonObject.of(
                "jsonrpc",
                "2.0",
                "id",
                id,
                "error",
                JsonObject.of("code", code, "message", "as it was then"));
    }

    static void send(JsonObject message) throws IOException {
        System.out.write((message.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }
}
