package dev.fairlead.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.trace.data.SpanData;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

@Timeout(60)
class McpTelemetryTest {
    private static final String SECRET = "hunter2";

    record Text(String text) {}

    private final Recorded recorded = new Recorded();
    private final McpTelemetry telemetry = McpTelemetry.of(recorded.openTelemetry());
    private final McpServer server = server(telemetry);

    private static McpServer server(Interceptor... interceptors) {
        return McpServer.named("test", "1")
                .intercept(interceptors)
                .tool("echo", "Says it again", Text.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle((text, call) -> text.text())
                .tool("who", "Says whose baggage this is", NoInput.class, String.class)
                .handle((none, call) -> Baggage.current().getEntryValue("user"))
                .tool("fail", "Fails", Text.class, String.class)
                .handle(
                        (text, call) -> {
                            throw new ToolFailedException("no such thing: " + text.text());
                        })
                .tool("refuse", "Is refused", Text.class, String.class)
                .handle(
                        (text, call) -> {
                            throw new JsonRpcException(-32050, "not you: " + text.text());
                        })
                .tool("ask", "Asks the model", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle((none, call) -> call.sample("What now?", 10).model())
                .resource("notes://one", "one", String.class)
                .handle((none, call) -> SECRET)
                .build();
    }

    @AfterEach
    void close() {
        server.close();
        recorded.close();
    }

    private McpClient connect(Remote remote) throws InterruptedException {
        return McpClient.named("test", "1") // whose sessions are measured
                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                .intercept(telemetry)
                .interceptInbound(telemetry)
                .onSample(request -> CreateMessageResult.text("model", "This."))
                .connect(remote);
    }

    private static JsonObject text(String text) {
        return JsonObject.of("text", text);
    }

    private static <T> T attribute(SpanData span, AttributeKey<T> key) {
        return span.getAttributes().get(key);
    }

    @Test
    void theHandlingOfARequestIsTheChildOfItsSending() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            client.callTool("echo", text("hi"));
        }

        SpanData sent = recorded.span("tools/call echo", SpanKind.CLIENT);
        SpanData handled = recorded.span("tools/call echo", SpanKind.SERVER);
        assertThat(handled.getTraceId()).isEqualTo(sent.getTraceId());
        assertThat(handled.getParentSpanId()).isEqualTo(sent.getSpanId());
        assertThat(handled.getParentSpanContext().isRemote()).isTrue();
        assertThat(handled.getLinks()).isEmpty();
        assertThat(handled.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(attribute(handled, Conventions.METHOD)).isEqualTo("tools/call");
        assertThat(attribute(handled, Conventions.TOOL)).isEqualTo("echo");
        assertThat(attribute(handled, Conventions.OPERATION)).isEqualTo("execute_tool");
        assertThat(attribute(handled, Conventions.REVISION)).isEqualTo("2025-11-25");
        assertThat(attribute(handled, Conventions.REQUEST)).matches("[0-9]+");
        assertThat(attribute(handled, Conventions.TRANSPORT)).isNull();
    }

    @Test
    void overHttpTheSameIsRecordedAndTheIdOfTheSessionIsNot() throws Exception {
        try (HttpServing serving = server.serve(Http.port(0));
                McpClient client = connect(Http.to(serving.uri()))) {
            client.callTool("echo", text("hi"));
        }

        SpanData sent = recorded.span("tools/call echo", SpanKind.CLIENT);
        SpanData handled = recorded.span("tools/call echo", SpanKind.SERVER);
        assertThat(handled.getParentSpanId()).isEqualTo(sent.getSpanId());
        for (SpanData span : List.of(sent, handled)) {
            assertThat(attribute(span, Conventions.TRANSPORT)).isEqualTo("tcp");
            assertThat(attribute(span, Conventions.PROTOCOL)).isEqualTo("http");
        }
        assertThat(attribute(handled, Conventions.SESSION)).hasSize(10); // an id has 22 characters
    }

    @Test
    void refusedRequestsAreCountedByReason() throws Exception {
        try (HttpServing serving = server.serve(Http.port(0));
                HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest foreign =
                    HttpRequest.newBuilder(serving.uri())
                            .header("Origin", "http://evil.example")
                            .build();
            http.send(foreign, HttpResponse.BodyHandlers.discarding());
            http.send(foreign, HttpResponse.BodyHandlers.discarding());
        }

        LongPointData point = recorded.count("mcp.server.refusals");
        assertThat(point.getValue()).isEqualTo(2);
        assertThat(point.getAttributes().get(Conventions.ERROR)).isEqualTo("origin");
        assertThat(point.getAttributes().get(Conventions.HTTP_STATUS)).isEqualTo(403);
    }

    @Test
    void aQuestionToTheClientStandsBelowTheCallThatAsksIt() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            client.callTool("ask", JsonObject.EMPTY);
        }

        SpanData call = recorded.span("tools/call ask", SpanKind.SERVER);
        SpanData asked = recorded.span("sampling/createMessage", SpanKind.CLIENT);
        SpanData answered = recorded.span("sampling/createMessage", SpanKind.SERVER);
        assertThat(asked.getParentSpanId()).isEqualTo(call.getSpanId());
        assertThat(answered.getParentSpanId()).isEqualTo(asked.getSpanId());
        assertThat(answered.getTraceId()).isEqualTo(call.getTraceId());
    }

    @Test
    void theRunOfATaskContinuesTheTraceOfItsCreation() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            client.startTool(new CallToolRequest("ask", JsonObject.EMPTY))
                    .await(Duration.ofSeconds(60));
        }

        SpanData created = recorded.span("tools/call ask", SpanKind.SERVER);
        SpanData run = recorded.span("execute_tool ask", SpanKind.INTERNAL);
        SpanData asked = recorded.span("sampling/createMessage", SpanKind.CLIENT);
        // more than one, where tasks/result takes the question over from the session
        List<SpanData> answered = recorded.spans("sampling/createMessage", SpanKind.SERVER);
        assertThat(run.getTraceId()).isEqualTo(created.getTraceId());
        assertThat(run.getParentSpanId()).isEqualTo(created.getSpanId());
        assertThat(asked.getParentSpanId()).isEqualTo(run.getSpanId());
        assertThat(answered)
                .isNotEmpty()
                .allMatch(answer -> answer.getParentSpanId().equals(asked.getSpanId()));
    }

    @Test
    void baggageReachesTheHandler() throws Exception {
        try (McpClient client = connect(server.inProcess());
                Scope scope = Baggage.builder().put("user", "ada").build().makeCurrent()) {
            assertThat(client.callTool("who", JsonObject.EMPTY).text()).isEqualTo("ada");
        }
    }

    @Test
    @Requirement("N26-META-012")
    void theContextIsSentWithoutPrefixInTheFormatsOfW3c() throws Exception {
        try (McpServer plain = // which removes nothing from the attached metadata
                        McpServer.named("plain", "1")
                                .revisions(Revision.V2026_07_28)
                                .tool("meta", "Returns it", NoInput.class, String.class)
                                .handle((none, call) -> call.meta().toJson())
                                .build();
                McpClient client =
                        McpClient.named("test", "1")
                                .intercept(telemetry)
                                .connect(plain.inProcess());
                Scope scope = Baggage.builder().put("user", "ada b").build().makeCurrent()) {
            JsonObject meta =
                    (JsonObject) JsonValue.parse(client.callTool("meta", JsonObject.EMPTY).text());

            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
            SpanData sent = recorded.span("tools/call meta", SpanKind.CLIENT);
            assertThat(meta.string("traceparent"))
                    .matches("00-%s-%s-0[1-3]".formatted(sent.getTraceId(), sent.getSpanId()));
            assertThat(meta.string("baggage")).isEqualTo("user=ada%20b");
        }
    }

    @Test
    void aSpanThatWasCurrentWhenTheRequestCameInIsLinked() throws Exception {
        Span transport = recorded.openTelemetry().getTracer("test").spanBuilder("POST").startSpan();
        Interceptor around =
                (method, next) -> {
                    try (Scope scope = transport.makeCurrent()) {
                        return next.proceed(method);
                    }
                };
        try (McpServer other = server(around, telemetry);
                McpClient client = connect(other.inProcess())) {
            client.callTool("echo", text("hi"));
        }

        SpanData handled = recorded.span("tools/call echo", SpanKind.SERVER);
        assertThat(handled.getParentSpanId())
                .isEqualTo(recorded.span("tools/call echo", SpanKind.CLIENT).getSpanId());
        assertThat(handled.getLinks())
                .singleElement()
                .matches(link -> link.getSpanContext().equals(transport.getSpanContext()));
    }

    @Test
    void aToolThatFailsIsAnErrorOfItsOwnType() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            client.callTool("fail", text("x"));
        }

        SpanData handled = recorded.span("tools/call fail", SpanKind.SERVER);
        assertThat(handled.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attribute(handled, Conventions.ERROR)).isEqualTo("tool_error");
        HistogramPointData point = recorded.point("mcp.server.operation.duration");
        assertThat(point.getAttributes().get(Conventions.ERROR)).isEqualTo("tool_error");
        assertThat(point.getAttributes().get(Conventions.TOOL)).isEqualTo("fail");
    }

    @Test
    void anErrorIsRecordedByItsCodeOnBothSides() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            assertThatThrownBy(() -> client.callTool("refuse", text("x")))
                    .isInstanceOf(JsonRpcException.class);
        }

        for (SpanKind kind : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
            SpanData span = recorded.span("tools/call", kind);
            assertThat(attribute(span, Conventions.ERROR)).isEqualTo("-32050");
            assertThat(attribute(span, Conventions.STATUS)).isEqualTo("-32050");
            assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        }
    }

    @Test
    void namesThatAreMadeUpGrowNoMetric() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            client.callTool("echo", text("hi"));
            for (int i = 0; i < 50; i++) {
                String name = "nobody-" + i;
                assertThatThrownBy(() -> client.callTool(name, JsonObject.EMPTY))
                        .isInstanceOf(JsonRpcException.class);
            }
        }

        for (String metric :
                List.of("mcp.server.operation.duration", "mcp.client.operation.duration")) {
            assertThat(recorded.points(metric).map(HistogramPointData::getCount))
                    .containsExactlyInAnyOrder(1L, 50L);
        }
        assertThat(recorded.spans().stream().map(SpanData::getName))
                .containsOnly("tools/call echo", "tools/call");
    }

    @Test
    void nothingIsRecordedOfArgumentsResultsAndMessages() throws Exception {
        try (McpClient client = connect(server.inProcess())) {
            client.callTool("echo", text(SECRET));
            client.callTool("fail", text(SECRET));
            assertThatThrownBy(() -> client.callTool("refuse", text(SECRET)))
                    .hasMessageContaining(SECRET);
            client.readResource("notes://one");
        }

        SpanData read = recorded.span("resources/read", SpanKind.SERVER);
        assertThat(attribute(read, Conventions.RESOURCE)).isEqualTo("notes://one");
        assertThat(recorded.spans()).hasSize(8);
        assertThat(recorded.spans().toString()).doesNotContain(SECRET);
        assertThat(recorded.metrics().toString()).doesNotContain(SECRET);
    }

    @Test
    void durationsOfSessionsAreMeasuredOnBothSides() throws Exception {
        try (HttpServing serving = server.serve(Http.port(0));
                McpClient client = connect(Http.to(serving.uri()))) {
            client.callTool("echo", text("hi"));
        }

        for (String metric :
                List.of("mcp.client.session.duration", "mcp.server.session.duration")) {
            HistogramPointData point = recorded.point(metric);
            assertThat(point.getCount()).isEqualTo(1);
            assertThat(point.getSum()).isPositive();
            assertThat(point.getBoundaries()).isEqualTo(Conventions.BUCKETS);
            assertThat(point.getAttributes().get(Conventions.TRANSPORT)).isEqualTo("tcp");
            assertThat(point.getAttributes().get(Conventions.REVISION)).isEqualTo("2025-11-25");
        }
    }

    @Test
    void whatIsNoContextInAMessageIsPassedOver() throws Exception {
        JsonObject meta = JsonObject.of("traceparent", 7, "baggage", "x".repeat(10_000));
        try (McpClient client = McpClient.named("plain", "1").connect(server.inProcess())) {
            client.callTool(new CallToolRequest("echo", text("hi")).withMeta(meta));
        }

        assertThat(
                        recorded.span("tools/call echo", SpanKind.SERVER)
                                .getParentSpanContext()
                                .isValid())
                .isFalse();
    }
}
