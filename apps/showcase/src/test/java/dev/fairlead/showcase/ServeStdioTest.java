package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

class ServeStdioTest {
    private static final String INITIALIZE =
            """
            {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",\
             "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
            {"jsonrpc": "2.0", "method": "notifications/initialized"}
            """;

    private static void send(ChildProcess program, String lines) throws IOException {
        program.input().write(lines.getBytes(StandardCharsets.UTF_8));
        program.input().flush();
    }

    private static String call(long id, String tool, JsonObject arguments) {
        JsonObject params = JsonObject.of("name", tool, "arguments", arguments);
        return JsonObject.of("jsonrpc", "2.0", "id", id, "method", "tools/call", "params", params)
                        .toJson()
                + "\n";
    }

    @Test
    @Requirement({"STDIO-004", "STDIO-012"})
    void everyOneOf64PipelinedCallsIsAnsweredNothingElseIsPrintedAndItEndsWithItsInput()
            throws Exception {
        try (ChildProcess program = Program.start("--fixtures", "--stdio")) {
            StringBuilder lines = new StringBuilder(INITIALIZE);
            for (long id = 1; id <= 64; id++) {
                lines.append(
                        id % 2 == 0
                                ? call(id, "interop_echo", JsonObject.of("text", "text " + id))
                                : call(id, "interop_slow", JsonObject.of("ms", id)));
            }
            send(program, lines.toString());
            List<JsonObject> answers = new ArrayList<>();
            while (answers.size() < 65) {
                answers.add((JsonObject) JsonValue.parse(program.line().orElseThrow()));
            }
            program.input().close();
            assertThat(answers)
                    .extracting(answer -> answer.integer("id"))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(0, 64).boxed().toList());
            for (JsonObject answer : answers) {
                long id = answer.integer("id");
                assertThat(answer.object("result").toJson())
                        .contains(
                                id == 0
                                        ? "serverInfo"
                                        : id % 2 == 0 ? "text " + id : "slept " + id);
            }

            assertThat(program.rest()).isEmpty();
            assertThat(program.exitStatus()).isZero();
        }
    }

    private static final String META =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    /** A client without a handshake gets no change but those that it has subscribed to. */
    @Test
    @Requirement("N26-SUB-012")
    void changesOfListsGoToTheSubscriptionAlone() throws Exception {
        try (ChildProcess program = Program.start("--fixtures", "--stdio")) {
            send(
                    program,
                    request(1, "server/discover", "{" + META + "}")
                            + change(2, "interop_touch_resource", "\"uri\":\"interop://page/012\"")
                            + change(3, "test_trigger_prompt_change", ""));
            for (int i = 0; i < 3; i++) {
                assertThat(next(program).has("result")).isTrue();
            }
            send(
                    program,
                    request(
                            4,
                            "subscriptions/listen",
                            "{\"notifications\":{\"toolsListChanged\":true}," + META + "}"));
            List<String> sent = new ArrayList<>();
            sent.add(subscribed(next(program)));
            send(program, change(5, "test_trigger_tool_change", ""));
            for (int i = 0; i < 2; i++) {
                JsonObject message = next(program);
                sent.add(message.has("id") ? "answer" : subscribed(message));
            }
            assertThat(sent)
                    .containsExactlyInAnyOrder(
                            "notifications/subscriptions/acknowledged",
                            "notifications/tools/list_changed",
                            "answer");
            program.input().close();
            assertThat(program.rest()) // the end of the subscription
                    .noneMatch(line -> line.contains("/list_changed") || line.contains("updated"));
        }
    }

    private static JsonObject next(ChildProcess program) throws InterruptedException {
        return (JsonObject) JsonValue.parse(program.line().orElseThrow());
    }

    private static String change(int id, String tool, String arguments) {
        return request(
                id,
                "tools/call",
                "{\"name\":\"%s\",\"arguments\":{%s},%s}".formatted(tool, arguments, META));
    }

    /** Returns the method of a notification that belongs to a subscription. */
    private static String subscribed(JsonObject notification) {
        JsonObject meta = notification.object("params").object("_meta");
        assertThat(meta.has("io.modelcontextprotocol/subscriptionId")).isTrue();
        return notification.string("method");
    }

    private static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}\n"
                .formatted(id, method, params);
    }

    @Test
    @Requirement("STDIO-009")
    void fourMebibytesOfAnyUnicodeComeBackUnchanged() throws Exception {
        try (McpClient client =
                McpClient.connect(Stdio.command(Program.command("--stdio", "--bench")))) {
            assertThat(client.tools()).extracting(Tool::name).containsExactly("echo");
            String text = Texts.ofSize(4 << 20);

            assertThat(client.callTool("echo", JsonObject.of("text", text)).text()).isEqualTo(text);
        }
    }

    @Test
    void whatIsWrongWithAMessageIsAnsweredAndTheNextOneToo() throws Exception {
        try (ChildProcess program = Program.start("--fixtures", "--stdio")) {
            send(program, INITIALIZE + "{\n" + call(1, "interop_echo", JsonObject.of("text", "a")));
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                lines.add(program.line().orElseThrow());
            }
            assertThat(lines).anyMatch(line -> line.contains("-32700"));
            assertThat(lines).anyMatch(line -> line.contains("\"id\":1"));
        }
    }
}
