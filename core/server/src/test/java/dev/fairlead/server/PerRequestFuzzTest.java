package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Question;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Random damage to the members that revision 2026-07-28 adds: {@code _meta}, the filter of a listen
 * stream, responses and state of a retry, and updates of tasks. Each request has one answer, of a
 * code that its input can cause.
 */
@Timeout(120)
class PerRequestFuzzTest {
    private static final int ROUNDS = 4_000;

    private static final String META =
            """
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientCapabilities":
                          {"elicitation": {"form": {}}, "roots": {},
                           "extensions": {"io.modelcontextprotocol/tasks": {}}},
                      "io.modelcontextprotocol/clientInfo": {"name": "p", "version": "1"},
                      "io.modelcontextprotocol/logLevel": "debug", "progressToken": "t",
                      "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}\
            """;

    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "[]",
                    "{}",
                    "-0",
                    "1e400",
                    "\"\"",
                    "[[[]]]",
                    "0.1",
                    "\"\\u0000\"");

    /** The error codes that answer damaged input; {@code -32603} would be a bug. */
    private static final Set<Integer> CODES = Set.of(-32600, -32601, -32602, -32021, -32022);

    record Name(String name) {}

    private static McpServer server() {
        return McpServer.named("fuzzed", "1")
                .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                .maxRequests(100_000)
                .withoutRateLimit()
                .tasks(Tasks.inMemory().operationsPerSecond(1_000_000))
                .maxListenStreams(100_000)
                .maxListenStreamsPerCaller(100_000)
                .tool("ask", "Asks", NoInput.class, String.class)
                .handle((none, call) -> call.ask(question()).orElseThrow().name())
                .tool("later", "Asks in a task", NoInput.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle((none, call) -> call.ask(question()).orElseThrow().name())
                .resource("memo://note", "note", String.class)
                .handle((request, call) -> "note")
                .build();
    }

    private static Question<Answer<Name>> question() {
        return Question.elicit("Your name?", Name.class).as("user_name");
    }

    private static List<String> seeds(Peer peer) throws Exception {
        String call = "\"name\": \"%s\", \"arguments\": {}";
        JsonObject asked = peer.call("tools/call", params(call.formatted("ask")));
        JsonObject task = peer.call("tools/call", params(call.formatted("later")));
        String answer =
                "{\"user_name\": {\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}}";
        String retry =
                ", \"requestState\": \"%s\", \"inputResponses\": %s"
                        .formatted(asked.string("requestState"), answer);
        return List.of(
                "tools/call " + params(call.formatted("ask") + retry),
                "tools/call " + params(call.formatted("ask") + ", \"inputResponses\": " + answer),
                "subscriptions/listen "
                        + params(
                                "\"notifications\": {\"toolsListChanged\": true,"
                                        + " \"resourceSubscriptions\": [\"memo://note\"],"
                                        + " \"taskIds\": [\""
                                        + task.string("taskId")
                                        + "\"]}"),
                "tasks/update "
                        + params(
                                "\"taskId\": \"%s\", \"inputResponses\": {\"q1\": {\"action\": \"perhaps\"}}"
                                        .formatted(task.string("taskId"))),
                "tasks/get " + params("\"taskId\": \"" + task.string("taskId") + "\""),
                "resources/read " + params("\"uri\": \"memo://note\""),
                "tools/list " + params("\"cursor\": \"AAAA\""),
                "server/discover {" + META + "}");
    }

    private static String params(String members) {
        return "{" + members + ", " + META + "}";
    }

    private static String damaged(String params, Random random) {
        String text = params;
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(text.length());
            int colon = text.indexOf(':', at);
            text =
                    switch (random.nextInt(4)) {
                        case 0 -> text.substring(0, at) + text.substring(at + 1);
                        case 1 ->
                                text.substring(0, at)
                                        + (char) (' ' + random.nextInt(95))
                                        + text.substring(at + 1);
                        default -> colon < 0 ? text : replaced(text, colon + 1, random);
                    };
        }
        return text;
    }

    /** Puts another value in the place of one that follows a colon. */
    private static String replaced(String text, int from, Random random) {
        int to = from;
        while (to < text.length() && ",}]".indexOf(text.charAt(to)) < 0) {
            to++;
        }
        return text.substring(0, from)
                + VALUES.get(random.nextInt(VALUES.size()))
                + text.substring(to);
    }

    private static boolean isRequest(String frame) {
        try {
            return JsonRpcMessage.parse(frame.getBytes(StandardCharsets.UTF_8))
                    instanceof JsonRpcRequest;
        } catch (MalformedMessageException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @Requirement({"N26-BASE-003", "N26-META-004", "N26-MRTR-017"})
    void everyRequestHasOneAnswerOfACodeThatItsInputCanCause(long seed) throws Exception {
        Random random = new Random(seed);
        TreeMap<String, Integer> outcomes = new TreeMap<>();
        try (McpServer server = server();
                Peer peer = Peer.raw(server)) {
            List<String> seeds = seeds(peer);
            for (int i = 0; i < ROUNDS; i++) {
                String chosen = seeds.get(random.nextInt(seeds.size()));
                int space = chosen.indexOf(' ');
                String method = chosen.substring(0, space);
                String params = damaged(chosen.substring(space + 1), random);
                String id = "f" + i;
                String frame =
                        "{\"jsonrpc\": \"2.0\", \"id\": \"%s\", \"method\": \"%s\", \"params\": %s}"
                                .formatted(id, method, params);
                if (!isRequest(frame)) {
                    continue;
                }
                peer.send(frame);
                String outcome = outcome(peer, id, frame + ", seed " + seed);
                outcomes.merge(method + " " + outcome, 1, Integer::sum);
            }
            peer.notify("notifications/initialized", null);
            assertThat(peer.call("ping", "{}")).isEqualTo(JsonObject.EMPTY);
        }
        assertThat(outcomes.keySet())
                .contains(
                        "tools/call answered",
                        "tools/call -32602",
                        "subscriptions/listen answered",
                        "subscriptions/listen -32602",
                        "tasks/update -32602",
                        "server/discover -32601",
                        "server/discover -32602",
                        "server/discover -32022");
    }

    /**
     * Waits for the answer: a response, or the acknowledgement of a stream, which is then ended.
     */
    private static String outcome(Peer peer, String id, String about) throws Exception {
        JsonValue wanted = JsonValue.of(id);
        JsonObject answer =
                peer.await(
                        message ->
                                wanted.equals(message.get("id")) || acknowledges(message, wanted));
        if (answer.has("method")) {
            peer.notify("notifications/cancelled", "{\"requestId\": \"" + id + "\"}");
            return "answered";
        }
        if (!answer.has("error")) {
            return "answered";
        }
        int code = (int) Peer.code(answer.object("error"));
        assertThat(CODES).as(about + " => " + answer).contains(code);
        return Integer.toString(code);
    }

    private static boolean acknowledges(JsonObject message, JsonValue id) {
        return JsonValue.of("notifications/subscriptions/acknowledged")
                        .equals(message.get("method"))
                && id.equals(
                        message.object("params")
                                .object("_meta")
                                .get("io.modelcontextprotocol/subscriptionId"));
    }
}
