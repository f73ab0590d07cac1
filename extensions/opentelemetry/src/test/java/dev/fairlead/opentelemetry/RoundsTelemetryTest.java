package dev.fairlead.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Question;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.trace.data.SpanData;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** Calls that take several rounds, since revision 2026-07-28. */
@Timeout(60)
class RoundsTelemetryTest {
    record Confirm(boolean ok) {}

    private final Recorded recorded = new Recorded();
    private final McpTelemetry telemetry = McpTelemetry.of(recorded.openTelemetry());
    private final CountDownLatch waiting = new CountDownLatch(1);
    private final McpServer server = server().intercept(telemetry).build();

    private McpServer.Builder server() {
        return McpServer.named("shop", "1")
                .tool("buy", "Tested", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            call.elicit("Pay?", Confirm.class);
                            call.elicit("Wrap it?", Confirm.class);
                            return "bought";
                        })
                .tool("plan", "Tested", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            call.ask(
                                    Question.elicit("Where to?", Confirm.class),
                                    Question.sample("What to see?", 10));
                            return "planned";
                        })
                .tool("report", "Tested", NoInput.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle((none, call) -> "reported")
                .tool("fail", "Tested", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            throw new ToolFailedException("no");
                        })
                .tool("wait", "Tested", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            waiting.countDown();
                            new CountDownLatch(1).await();
                            return "never";
                        });
    }

    @AfterEach
    void close() {
        server.close();
        recorded.close();
    }

    private McpClient connect(Remote remote) throws InterruptedException {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                .intercept(telemetry)
                .interceptInbound(telemetry)
                .onElicitForm(form -> Answer.accept(new Confirm(true)))
                .onSample(request -> CreateMessageResult.text("model", "This."))
                .connect(remote);
    }

    private static <T> T attribute(SpanData span, AttributeKey<T> key) {
        return span.getAttributes().get(key);
    }

    /** One after the other, as they have ended. */
    private List<SpanData> handled(String name) {
        return recorded.spans().stream()
                .filter(span -> span.getName().startsWith(name))
                .filter(span -> span.getKind() == SpanKind.SERVER)
                .toList();
    }

    private void assertOneTrace(SpanData call, List<SpanData> rounds) {
        assertThat(attribute(call, Conventions.ROUND)).isEqualTo(3);
        assertThat(attribute(call, Conventions.OUTCOME)).isEqualTo("complete");
        assertThat(attribute(call, Conventions.REVISION)).isEqualTo("2026-07-28");
        assertThat(rounds).extracting(SpanData::getParentSpanId).containsOnly(call.getSpanId());
        assertThat(rounds).extracting(SpanData::getTraceId).containsOnly(call.getTraceId());
        assertThat(rounds)
                .extracting(span -> attribute(span, Conventions.ROUND))
                .containsExactly(1L, 2L, 3L);
        assertThat(rounds)
                .extracting(span -> attribute(span, Conventions.OUTCOME))
                .containsExactly("input_required", "input_required", "complete");
        assertThat(rounds)
                .extracting(span -> attribute(span, Conventions.REVISION))
                .containsOnly("2026-07-28");
        assertThat(recorded.spans())
                .extracting(span -> span.getStatus().getStatusCode())
                .containsOnly(StatusCode.UNSET);
    }

    @Test
    void theRoundsOfACallStandBelowTheSpanOfItsClient() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            client.callTool("buy", JsonObject.EMPTY);
        }
        assertOneTrace(recorded.span("tools/call buy", SpanKind.CLIENT), handled("tools/call"));
    }

    @Test
    void overHttpTheyDoToo() throws Exception {
        try (HttpServing serving = server.serve(Http.port(0));
                McpClient client = connect(Http.to(serving.uri()))) {
            client.callTool("buy", JsonObject.EMPTY);
        }
        SpanData call = recorded.span("tools/call buy", SpanKind.CLIENT);
        assertOneTrace(call, handled("tools/call"));
        for (SpanData round : handled("tools/call")) {
            assertThat(attribute(round, Conventions.SESSION)).isNull();
        }
    }

    @Test
    void questionsThatAreAnsweredTogetherBelongToTheTraceOfTheirCall() throws Exception {
        try (McpServer plain = server().build(); // which sends no context
                McpClient client = connect(plain.inProcess())) {
            client.callTool("plan", JsonObject.EMPTY);
        }
        SpanData call = recorded.span("tools/call plan", SpanKind.CLIENT);
        for (String question : List.of("elicitation/create", "sampling/createMessage")) {
            SpanData answered = recorded.span(question, SpanKind.SERVER);
            assertThat(answered.getParentSpanId()).isEqualTo(call.getSpanId());
            assertThat(answered.getTraceId()).isEqualTo(call.getTraceId());
        }
    }

    @Test
    void aQuestionThatEndsARoundIsNoError() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            client.callTool("buy", JsonObject.EMPTY);
        }
        assertThat(recorded.spans("elicitation/create", SpanKind.CLIENT))
                .extracting(span -> attribute(span, Conventions.OUTCOME))
                .containsExactly(
                        "input_required", "complete", "input_required", "complete", "complete");
    }

    @Test
    void aCallThatBecomesATaskIsATaskOnBothSides() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            client.startTool(new CallToolRequest("report", JsonObject.EMPTY))
                    .await(Duration.ofSeconds(60));
        }
        for (SpanKind kind : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
            SpanData call = recorded.span("tools/call report", kind);
            assertThat(attribute(call, Conventions.OUTCOME)).isEqualTo("task");
            assertThat(attribute(call, Conventions.ROUND)).isEqualTo(1);
        }
        assertThat(
                        attribute(
                                recorded.span("execute_tool report", SpanKind.INTERNAL),
                                Conventions.OUTCOME))
                .isEqualTo("complete");
    }

    @Test
    void theRunOfATaskStandsBelowTheRequestThatCreatedIt() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            assertRunBelowRequest(client);
        }
    }

    @Test
    void itDoesWithAClientThatSendsNoContextToo() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .connect(server.inProcess())) {
            assertRunBelowRequest(client);
        }
    }

    private void assertRunBelowRequest(McpClient client) throws InterruptedException {
        client.startTool(new CallToolRequest("report", JsonObject.EMPTY))
                .await(Duration.ofSeconds(60));

        SpanData created = recorded.span("tools/call report", SpanKind.SERVER);
        SpanData run = recorded.span("execute_tool report", SpanKind.INTERNAL);
        assertThat(run.getTraceId()).isEqualTo(created.getTraceId());
        assertThat(run.getParentSpanId()).isEqualTo(created.getSpanId());
    }

    @Test
    void theTransportIsNamedWithoutASession() throws Exception {
        try (HttpServing serving = server.serve(Http.port(0));
                McpClient client = connect(Http.to(serving.uri()))) {
            client.callTool("buy", JsonObject.EMPTY);
        }
        for (SpanKind kind : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
            assertThat(recorded.spans("tools/call buy", kind))
                    .allSatisfy(span -> assertIsOfHttp(span.getAttributes()));
        }
        for (String metric :
                List.of("mcp.client.operation.duration", "mcp.server.operation.duration")) {
            assertThat(points(metric, "buy"))
                    .isNotEmpty()
                    .allSatisfy(point -> assertIsOfHttp(point.getAttributes()));
        }
    }

    private static void assertIsOfHttp(Attributes attributes) {
        assertThat(attributes.get(Conventions.TRANSPORT)).isEqualTo("tcp");
        assertThat(attributes.get(Conventions.PROTOCOL)).isEqualTo("http");
    }

    @Test
    void outcomesAreTheSameInMetrics() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            client.callTool("buy", JsonObject.EMPTY);
            client.callTool("fail", JsonObject.EMPTY);
        }
        assertThat(counts("mcp.server.operation.duration", "buy"))
                .containsExactlyInAnyOrder("complete 1", "input_required 2");
        assertThat(counts("mcp.client.operation.duration", "buy")).containsExactly("complete 1");
        assertThat(counts("mcp.server.operation.duration", "fail")).containsExactly("error 1");
        assertThat(counts("mcp.client.operation.duration", "fail")).containsExactly("error 1");
    }

    private List<String> counts(String metric, String tool) {
        return points(metric, tool).stream().map(RoundsTelemetryTest::count).toList();
    }

    private List<HistogramPointData> points(String metric, String tool) {
        return recorded.points(metric)
                .filter(point -> tool.equals(point.getAttributes().get(Conventions.TOOL)))
                .toList();
    }

    private static String count(HistogramPointData point) {
        return point.getAttributes().get(Conventions.OUTCOME) + " " + point.getCount();
    }

    @Test
    void aCallThatIsInterruptedIsCancelledOnBothSides() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            var call = new FutureTask<>(() -> client.callTool("wait", JsonObject.EMPTY));
            Thread caller = Thread.ofVirtual().start(call);
            waiting.await();
            caller.interrupt();
            assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
            for (SpanKind kind : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
                String name = kind == SpanKind.CLIENT ? "tools/call" : "tools/call wait";
                SpanData span = recorded.span(name, kind);
                assertThat(attribute(span, Conventions.ERROR)).isEqualTo("cancelled");
                assertThat(attribute(span, Conventions.OUTCOME)).isEqualTo("cancelled");
            }
        }
    }

    @Test
    void refusedStatesAreCounted() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            JsonObject forged = JsonObject.of("name", "buy", "requestState", "v1.forged");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> client.request("tools/call", forged))
                        .isInstanceOf(JsonRpcException.class);
            }
        }
        LongPointData point = recorded.count("mcp.server.request_states.refused");
        assertThat(point.getValue()).isEqualTo(server.refusedRequestStates()).isEqualTo(2);
        assertThat(point.getAttributes().get(Conventions.METHOD)).isEqualTo("tools/call");
        assertThat(point.getAttributes().get(Conventions.ERROR)).isEqualTo("malformed");
    }
}
