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

/**
 * A server over standard input and output that a library of its time could have made: one thread,
 * one message after the other, and nothing is known of {@code server/discover}. Its argument says
 * what it does with a request that it does not know: {@code silent}, {@code exit}, {@code result},
 * {@code late MILLISECONDS} or {@code code NUMBER}.
 */
final class OldServer {
    private static final List<JsonValue> SEEN = new ArrayList<>();

    private OldServer() {}

    public static void main(String... arguments) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonObject message = (JsonObject) JsonValue.parse(line);
            SEEN.add(message.get("method"));
            JsonValue id = message.get("id");
            if (id != null) {
                answer(message.string("method"), id, message, arguments);
            }
        }
    }

    private static void answer(String method, JsonValue id, JsonObject message, String... arguments)
            throws IOException, InterruptedException {
        switch (method) {
            case "initialize" ->
                    result(
                            id,
                            JsonObject.of(
                                    "protocolVersion",
                                    message.object("params").string("protocolVersion"),
                                    "capabilities",
                                    JsonObject.of("tools", JsonObject.EMPTY),
                                    "serverInfo",
                                    JsonObject.of("name", "old", "version", "1")));
            case "ping" -> result(id, JsonObject.EMPTY);
            case "tools/call" -> // what it has seen so far
                    result(
                            id,
                            JsonObject.of(
                                    "content",
                                    JsonArray.of(
                                            JsonObject.of(
                                                    "type",
                                                    "text",
                                                    "text",
                                                    new JsonArray(SEEN).toJson()))));
            default -> {
                switch (arguments[0]) {
                    case "silent" -> {}
                    case "exit" -> System.exit(3);
                    case "result" -> result(id, JsonObject.EMPTY);
                    case "late" -> {
                        Thread.sleep(Long.parseLong(arguments[1])); // it is that slow
                        error(id, -32601);
                    }
                    default -> error(id, Integer.parseInt(arguments[1]));
                }
            }
        }
    }

    static void result(JsonValue id, JsonObject result) throws IOException {
        send(JsonObject.of("jsonrpc", "2.0", "id", id, "result", result));
    }

    private static void error(JsonValue id, int code) throws IOException {
        send(
                JsonObject.of(
                        "jsonrpc",
                        "2.0",
                        "id",
                        id,
                        "error",
                        JsonObject.of("code", code, "message", "as it was then")));
    }

    static void send(JsonObject message) throws IOException {
        System.out.write((message.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }
}
