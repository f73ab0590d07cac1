package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.RawClient;
import dev.fairlead.testing.RawPeer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

class InteropToolsTest {
    private final McpServer server = Showcase.server();

    @AfterEach
    void close() {
        server.close();
    }

    private McpClient client() throws InterruptedException {
        return clientOfSessions().connect(server.inProcess());
    }

    /** Results of sessions do not name the server. */
    private static McpClient.Builder clientOfSessions() {
        return McpClient.named("test", "1")
                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE);
    }

    private RawPeer peer(String capabilities) {
        RawPeer peer = RawPeer.client(server.host());
        peer.initialize(Revision.NEWEST_WITH_HANDSHAKE, capabilities);
        return peer;
    }

    /** A message sent before would arrive before the answer to this ping. */
    private static void expectNothing(RawPeer peer) {
        peer.send("{\"jsonrpc\": \"2.0\", \"id\": 99, \"method\": \"ping\"}");
        peer.expect("{\"jsonrpc\": \"2.0\", \"id\": 99, \"result\": {}}");
    }

    private static String call(String tool, JsonObject arguments) {
        JsonObject params = JsonObject.of("name", tool, "arguments", arguments);
        return JsonObject.of("jsonrpc", "2.0", "id", 1, "method", "tools/call", "params", params)
                .toJson();
    }

    private static String result(String text) {
        return """
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "%s"}]}}
        """
                .formatted(text);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "V2026_07_28") // which clients do not speak
    @Requirement("VERS-001")
    void everyRevisionIsServed(Revision revision) throws InterruptedException {
        try (McpClient client =
                McpClient.named("test", "1")
                        .revisions(revision, revision)
                        .connect(server.inProcess())) {
            assertThat(client.revision()).isEqualTo(revision);
            assertThat(client.serverInfo().name()).isEqualTo("fairlead-showcase");
            assertThat(client.callTool("interop_echo", JsonObject.of("text", "a")))
                    .isEqualTo(CallToolResult.text("a"));
        }
    }

    @Test
    void everyCapabilityOfAServerIsDeclared() {
        try (RawPeer peer = RawPeer.client(server.host())) {
            JsonObject capabilities =
                    peer.initialize(Revision.NEWEST_WITH_HANDSHAKE).object("capabilities");

            assertThat(capabilities.object("tools").bool("listChanged")).isTrue();
            assertThat(capabilities.object("resources").bool("listChanged")).isTrue();
            assertThat(capabilities.object("resources").bool("subscribe")).isTrue();
            assertThat(capabilities.names()).contains("prompts", "logging", "completions");
        }
    }

    @Test
    void everyToolIsListed() throws InterruptedException {
        try (McpClient client = client()) {
            assertThat(client.tools())
                    .extracting(Tool::name)
                    .containsExactlyInAnyOrder(
                            "test_simple_text",
                            "test_image_content",
                            "test_audio_content",
                            "test_embedded_resource",
                            "test_multiple_content_types",
                            "test_tool_with_logging",
                            "test_tool_with_progress",
                            "test_error_handling",
                            "test_reconnection",
                            "test_sampling",
                            "test_elicitation",
                            "test_elicitation_sep1034_defaults",
                            "test_elicitation_sep1330_enums",
                            "json_schema_2020_12_tool",
                            "test_x_mcp_header",
                            "test_input_required_result_elicitation",
                            "test_input_required_result_sampling",
                            "test_input_required_result_list_roots",
                            "test_input_required_result_request_state",
                            "test_input_required_result_tampered_state",
                            "test_input_required_result_multiple_inputs",
                            "test_input_required_result_multi_round",
                            "test_input_required_result_capabilities",
                            "test_missing_capability",
                            "test_streaming_elicitation",
                            "test_logging_tool",
                            "test_trigger_tool_change",
                            "test_trigger_prompt_change",
                            "greet",
                            "slow_compute",
                            "failing_job",
                            "protocol_error_job",
                            "confirm_delete",
                            "multi_input",
                            "test_tool_with_task",
                            "interop_rounds",
                            "interop_held",
                            "interop_ask_now",
                            "interop_swallow",
                            "interop_big_once",
                            "interop_list",
                            "interop_echo",
                            "interop_structured",
                            "interop_slow",
                            "interop_stats",
                            "interop_roots",
                            "interop_elicit_url",
                            "interop_touch_resource",
                            "interop_list_changed",
                            "interop_client_task_sample",
                            "interop_client_task_elicit",
                            "task_echo",
                            "task_required",
                            "task_forbidden",
                            "task_progress",
                            "task_fail",
                            "task_throw",
                            "task_elicit",
                            "task_sample",
                            "task_sleep_forever");
        }
    }

    @Test
    void theEchoIsTheTextUnchanged() throws InterruptedException {
        String text = Texts.ofSize(1 << 20);
        try (McpClient client = client()) {
            assertThat(client.callTool("interop_echo", JsonObject.of("text", text)))
                    .isEqualTo(CallToolResult.text(text));
        }
    }

    @Test
    void theWeatherIsStructuredAndTheSameAsText() throws InterruptedException {
        JsonObject weather =
                JsonObject.of("city", "Oslo", "temperature", 21.5, "conditions", "sunny");
        try (McpClient client = client()) {
            client.tools(); // from now on the client checks the output against its schema
            CallToolResult result =
                    client.callTool("interop_structured", JsonObject.of("city", "Oslo"));

            assertThat(result.structuredContent()).isEqualTo(weather);
            assertThat(JsonValue.parse(result.text())).isEqualTo(weather);
        }
    }

    @Test
    void everyStepOfASlowCallIsReported() throws InterruptedException {
        List<String> steps = new ArrayList<>();
        try (McpClient client = client()) {
            CallToolResult result =
                    client.withProgress(step -> steps.add(step.progress() + " of " + step.total()))
                            .callTool("interop_slow", JsonObject.of("ms", 200, "steps", 4));

            assertThat(result).isEqualTo(CallToolResult.text("slept 200"));
            assertThat(steps)
                    .containsExactly("1.0 of 4.0", "2.0 of 4.0", "3.0 of 4.0", "4.0 of 4.0");
        }
    }

    @Test
    void slowCallsAreCountedAndThoseThatEndEarlyToo() throws Exception {
        try (McpClient client = client()) {
            client.callTool("interop_slow", JsonObject.of("ms", 1));
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<CallToolResult> call =
                    new FutureTask<>(
                            () ->
                                    client.withProgress(step -> begun.countDown())
                                            .callTool(
                                                    "interop_slow",
                                                    JsonObject.of("ms", 600_000, "steps", 10_000)));
            Thread.ofVirtual().start(call);
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(slow(client)).isEqualTo(counts(2, 1, 0));

            call.cancel(true);
            assertThatThrownBy(call::get).isInstanceOf(CancellationException.class);
            RawClient.looking("the server has noticed it")
                    .until(() -> slow(client).integer("running") == 0);
            assertThat(slow(client)).isEqualTo(counts(2, 0, 1));
        }
    }

    private static JsonObject slow(McpClient client) throws InterruptedException {
        JsonObject statistics =
                (JsonObject) client.callTool("interop_stats", JsonObject.EMPTY).structuredContent();
        assertThat(statistics).isNotNull();
        assertThat(statistics.object("forever")).isEqualTo(counts(0, 0, 0));
        return statistics.object("slow");
    }

    private static JsonObject counts(int started, int running, int cancelled) {
        return JsonObject.of("started", started, "running", running, "cancelled", cancelled);
    }

    @Test
    void theRootsAreThoseOfTheClient() throws InterruptedException {
        try (McpClient client =
                McpClient.named("test", "1")
                        .roots(new Root("file:///a"), new Root("file:///b%20c").withName("b"))
                        .connect(server.inProcess())) {
            assertThat(JsonValue.parse(client.callTool("interop_roots", JsonObject.EMPTY).text()))
                    .isEqualTo(JsonArray.of("file:///a", "file:///b%20c"));
        }
    }

    @Test
    @Requirement({"ELIC-023", "ELIC-024"})
    void aVisitIsReportedCompleteAfterConsent() throws InterruptedException {
        BlockingQueue<String> completed = new LinkedBlockingQueue<>();
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        try (McpClient client =
                clientOfSessions()
                        .onElicitUrl(
                                link -> {
                                    asked.add(link.request().elicitationId());
                                    return Answer.accept();
                                })
                        .onElicitationComplete(completed::add)
                        .connect(server.inProcess())) {
            assertThat(client.callTool("interop_elicit_url", JsonObject.EMPTY))
                    .isEqualTo(CallToolResult.text("action=accept"));
            assertThat(completed.poll(30, TimeUnit.SECONDS)).isEqualTo(asked.poll());
        }
    }

    @Test
    void aVisitKeepsItsPageInTheNextRound() {
        try (RawPeer peer = RawPeer.client(server.host())) {
            JsonObject params =
                    (JsonObject)
                            JsonValue.parse(
                                    """
                                    {"name": "interop_elicit_url", "arguments": {}, "_meta": {
                                       "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                       "io.modelcontextprotocol/clientCapabilities":
                                          {"elicitation": {"url": {}}}}}
                                    """);
            JsonObject asked = round(peer, params);
            String key = asked.object("inputRequests").names().iterator().next();
            JsonObject answer = JsonObject.of("action", "accept");

            JsonObject result =
                    round(
                            peer,
                            params.with("inputResponses", JsonObject.of(key, answer))
                                    .with("requestState", asked.get("requestState")));

            assertThat(result.string("resultType")).isEqualTo("complete");
            assertThat(result.toJson()).contains("action=accept");
        }
    }

    private static JsonObject round(RawPeer peer, JsonObject params) {
        peer.send(
                JsonObject.of("jsonrpc", "2.0", "id", 1, "method", "tools/call", "params", params)
                        .toJson());
        return peer.next().object("result");
    }

    @ParameterizedTest
    @ValueSource(strings = {"decline", "cancel"})
    void aVisitThatIsRefusedIsNotReported(String action) {
        try (RawPeer peer = peer("{\"elicitation\": {\"url\": {}}}")) {
            peer.send(call("interop_elicit_url", JsonObject.EMPTY));
            peer.respond(
                    peer.expectRequest("elicitation/create"), "{\"action\": \"" + action + "\"}");
            peer.expect(result("action=" + action));
            expectNothing(peer);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"interop_roots", "interop_elicit_url", "test_sampling", "test_elicitation"})
    @Requirement("LIFE-034")
    void aClientThatCannotAnswerIsNotAsked(String tool) {
        // Forms alone do not allow pages.
        String capabilities = tool.equals("interop_elicit_url") ? "{\"elicitation\": {}}" : "{}";
        try (RawPeer peer = peer(capabilities)) {
            peer.send(call(tool, JsonObject.of("prompt", "a", "message", "b")));

            JsonObject answer = peer.next();
            assertThat(answer.has("method")).isFalse();
            assertThat(answer.object("result").bool("isError")).isTrue();
            expectNothing(peer);
        }
    }

    @Test
    @Requirement("RES-007")
    void onlySubscribersAreNotifiedOfAResourceUpdate() {
        String uri = "interop://page/007";
        try (RawPeer watching = peer("{}");
                RawPeer other = peer("{}")) {
            String about =
                    "{\"jsonrpc\": \"2.0\", \"id\": 9, \"method\": \"resources/%s\", \"params\":"
                            + " {\"uri\": \"%s\"}}";
            watching.send(about.formatted("subscribe", uri));
            watching.expect("{\"jsonrpc\": \"2.0\", \"id\": 9, \"result\": {}}");

            other.send(call("interop_touch_resource", JsonObject.of("uri", uri)));
            other.expect(result("touched"));
            expectNothing(other);
            watching.expect(
                    """
                    {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "%s"}}
                    """
                            .formatted(uri));

            other.send(call("interop_touch_resource", JsonObject.of("uri", "interop://page/008")));
            other.expect(result("touched"));
            expectNothing(watching);

            watching.send(about.formatted("unsubscribe", uri));
            watching.expect("{\"jsonrpc\": \"2.0\", \"id\": 9, \"result\": {}}");
            other.send(call("interop_touch_resource", JsonObject.of("uri", uri)));
            other.expect(result("touched"));
            expectNothing(watching);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools", "resources", "prompts"})
    void aListIsSaidToHaveChangedOnceAndToThisSessionOnly(String kind) {
        try (RawPeer peer = peer("{}");
                RawPeer other = peer("{}")) {
            peer.send(call("interop_list_changed", JsonObject.of("kind", kind)));

            peer.expect(
                    """
                    {"jsonrpc": "2.0", "method": "notifications/%s/list_changed"}
                    """
                            .formatted(kind));
            peer.expect(result("sent"));
            expectNothing(peer);
            expectNothing(other);
        }
    }
}
