package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.lifecycle.ListCapability;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourceTemplatesResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Header;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Delegate;
import dev.fairlead.test.shared.PerRequestFrames;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Headers that repeat arguments of tools, on real sockets. */
@Timeout(120)
class ParameterHeadersHttpTest {
    record Town(@Header("Town") @Nullable String name) {}

    record Place(
            @Header("Region") @Nullable String region,
            @Header("Count") @Nullable Long count,
            @Header("Dry") Optional<Boolean> dry,
            @Nullable Town town) {}

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> intercepted = new CopyOnWriteArrayList<>();
    private final List<Place> handled = new CopyOnWriteArrayList<>();
    private final McpServer server =
            McpServer.named("places", "1.0.0")
                    .intercept(
                            (method, next) -> {
                                intercepted.add(method.name());
                                return next.proceed(
                                        method.params() instanceof CallToolRequest call
                                                        && call.name().equals("moved")
                                                ? method.withParams(
                                                        call.withArguments(
                                                                JsonObject.of("region", "moon")))
                                                : method);
                            })
                    .tool("go", "Goes somewhere", Place.class, String.class)
                    .handle(
                            (place, call) -> {
                                handled.add(place);
                                return "gone";
                            })
                    .tool("text", "Takes strings", Place.class, String.class)
                    .acceptTextArguments()
                    .handle(
                            (place, call) -> {
                                handled.add(place);
                                return "gone";
                            })
                    .tool("moved", "Goes elsewhere", Place.class, String.class)
                    .handle((place, call) -> String.valueOf(place.region()))
                    .tool("hidden", "Is hidden", Place.class, String.class)
                    .visibleTo(caller -> false)
                    .handle((place, call) -> "found")
                    .build();
    private final HttpServing serving = server.serve(PerRequestFrames.listener());

    @AfterEach
    void close() {
        server.close();
        client.close();
    }

    private HttpResponse<String> call(String tool, String arguments, String headers)
            throws Exception {
        return call(serving.uri(), tool, arguments, headers);
    }

    private HttpResponse<String> call(URI uri, String tool, String arguments, String headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", "tools/call")
                        .header("Mcp-Name", tool)
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        """
                                        {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
                                         "name": "%s", "arguments": %s, "_meta": {
                                         "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                         "io.modelcontextprotocol/clientCapabilities": {}}}}\
                                        """
                                                .formatted(tool, arguments)));
        for (String header : headers.isEmpty() ? new String[0] : headers.split(";", -1)) {
            String[] parts = header.split(":", 2);
            request.header("Mcp-Param-" + parts[0].strip(), parts[1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonObject error(HttpResponse<String> answer) {
        return ((JsonObject) JsonValue.parse(answer.body())).object("error");
    }

    /** A proxy that decides by the header must not be passed by an object within a string. */
    @Test
    @Requirement("N26-HDR-014")
    void aStringHidesNoArgumentFromItsHeader() throws Exception {
        String hidden = "{\"town\": \"{\\\"name\\\": \\\"Oslo\\\"}\"}";
        for (String headers : List.of("", "Town:Oslo")) {
            JsonObject error = error(call("text", hidden, headers));
            assertThat(error.get("code")).isEqualTo(JsonValue.of(-32020));
            assertThat(error.string("message"))
                    .endsWith(
                            "Mcp-Param-Town repeats town.name, which must not be within a string");
        }
        assertThat(handled).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {}                                      | ``
                    {"region": "eu"}                        | Region:eu
                    {"region": "eu"}                        | rEGION: eu
                    {"region": "eu"}                        | Region:=?base64?ZXU=?=
                    {"region": "Zürich"}                    | Region:=?base64?WsO8cmljaA==?=
                    {"region": " a"}                        | Region:=?base64?IGE=?=
                    {"region": "=?base64?ZXU="}             | Region:=?base64?ZXU=
                    {"region": ""}                          | Region:
                    {"region": "eu", "count": 42}           | Region:eu; Count:42
                    {"count": 42}                           | Count:42.0
                    {"count": 42.0}                         | Count:42
                    {"count": -7}                           | Count:-7
                    {"count": 9007199254740991}             | Count:9007199254740991
                    {"dry": true}                           | Dry:true
                    {"dry": false}                          | Dry:false
                    {"region": null, "count": null}         | ``
                    {"town": {"name": "Oslo"}}              | Town:Oslo
                    {"town": {}}                            | ``
                    {"town": null}                          | ``
                    {"region": "eu"}                        | Region:eu; Other:us; Name:x
                    """)
    @Requirement({"N26-HDR-004", "N26-HDR-008", "N26-HDR-014"})
    void aCallWhoseHeadersRepeatItIsAnswered(String arguments, String headers) throws Exception {
        HttpResponse<String> answer = call("go", arguments, headers);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("gone");
        assertThat(handled).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"region": "eu"}             | Region:us               | Mcp-Param-Region differs from region in the body
                    {"region": "eu"}             | Region:EU               | Mcp-Param-Region differs from region in the body
                    {"region": "eu"}             | ``                      | Mcp-Param-Region is missing
                    {"region": ""}               | ``                      | Mcp-Param-Region is missing
                    {"region": "eu"}             | Region:eu; Region:eu    | Mcp-Param-Region is there several times
                    {"region": "eu"}             | Region:=?base64?ZXU?=   | Mcp-Param-Region is encoded wrongly
                    {"region": "eu"}             | Region:=?base64?Z!U=?=  | Mcp-Param-Region is encoded wrongly
                    {"region": "eu"}             | Region:=?base64?/w==?=  | Mcp-Param-Region is encoded wrongly
                    {"region": "eu"}             | Region:=?BASE64?ZXU=?=  | Mcp-Param-Region differs from region in the body
                    {"region": "eu"}             | Region:ZXU=             | Mcp-Param-Region differs from region in the body
                    {}                           | Region:eu               | Mcp-Param-Region has a value, but region in the body has none
                    {"region": null}             | Region:null             | Mcp-Param-Region has a value, but region in the body has none
                    {"region": null}             | Region:                 | Mcp-Param-Region has a value, but region in the body has none
                    {"count": 42}                | Count:42.5              | Mcp-Param-Count differs from count in the body
                    {"count": 42}                | Count:42x               | Mcp-Param-Count differs from count in the body
                    {"count": 42}                | Count:"42"              | Mcp-Param-Count differs from count in the body
                    {"count": 0}                 | ``                      | Mcp-Param-Count is missing
                    {"dry": true}                | Dry:True                | Mcp-Param-Dry differs from dry in the body
                    {"dry": false}               | ``                      | Mcp-Param-Dry is missing
                    {"town": {"name": "Oslo"}}   | ``                      | Mcp-Param-Town is missing
                    {"town": {"name": "Oslo"}}   | Town:Bergen             | Mcp-Param-Town differs from town.name in the body
                    {"region": {}}               | Region:{}               | Mcp-Param-Region differs from region in the body
                    """)
    @Requirement({"N26-HDR-005", "N26-HDR-008", "N26-HDR-014", "N26-HTTP-015"})
    void aCallWhoseHeadersDifferIsRefused(String arguments, String headers, String message)
            throws Exception {
        HttpResponse<String> answer = call("go", arguments, headers);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(error(answer).get("code")).isEqualTo(JsonValue.of(-32020));
        assertThat(error(answer).string("message")).isEqualTo("Header mismatch: " + message);
        assertThat(error(answer).object("data").string("reason")).isEqualTo("header_mismatch");
        assertThat(handled).isEmpty();
        assertThat(intercepted).isEmpty();
    }

    /** Returns errors that the model can correct. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"region": {"a": 1}}    | ``
                    {"region": ["eu"]}      | ``
                    {"region": 7}           | Region:7
                    {"count": 1.5}          | Count:1.5
                    """)
    void argumentsOfTheWrongTypeAreAFailureOfTheTool(String arguments, String headers)
            throws Exception {
        HttpResponse<String> answer = call("go", arguments, headers);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("Invalid arguments: ").contains("\"isError\":true");
        assertThat(handled).isEmpty();
    }

    @Test
    @Requirement("N26-HDR-014")
    void anUnknownToolIsUnknownWhateverTheHeaders() throws Exception {
        for (String tool : List.of("hidden", "nothing")) {
            HttpResponse<String> answer = call(tool, "{\"region\": \"eu\"}", "Region:us");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(error(answer).get("code")).isEqualTo(JsonValue.of(-32602));
            assertThat(error(answer).string("message")).isEqualTo("Unknown tool: " + tool);
        }
    }

    @Test
    @Requirement("N26-HDR-014")
    void headersAreComparedWithTheBodyAndNotWithWhatInterceptorsMakeOfIt() throws Exception {
        assertThat(call("moved", "{\"region\": \"eu\"}", "Region:eu").body()).contains("moon");
        assertThat(call("moved", "{\"region\": \"eu\"}", "Region:moon").statusCode())
                .isEqualTo(400);
    }

    @Test
    @Requirement("N26-HDR-014")
    void aToolThatIsAddedLaterIsCheckedToo() throws Exception {
        JsonSchema schema =
                JsonSchema.parse(
                        """
                        {"type": "object", "properties": {"zone": {"type": "integer", "x-mcp-header": "Zone"}}}
                        """);
        server.update(
                changes ->
                        changes.tool(Tool.builder("later", "Comes later", schema).build())
                                .handle((request, call) -> CallToolResult.text("gone")));
        assertThat(call("later", "{\"zone\": 1}", "Zone:1").body()).contains("gone");
        assertThat(call("later", "{\"zone\": 1}", "Zone:2").statusCode()).isEqualTo(400);
        assertThat(call("later", "{\"zone\": 1, \"zone\": 2}", "Zone:1").body())
                .doesNotContain("gone");
    }

    private static Tool zoned(String name) {
        return Tool.builder(
                        name,
                        "Goes to a zone",
                        JsonSchema.parse(
                                """
                                {"type": "object", "properties": {"zone": {"type": "integer", "x-mcp-header": "Zone"}}}
                                """))
                .build();
    }

    @Test
    @Requirement("N26-HDR-014")
    void toolsOfASourceAreCheckedIfItFindsThem() throws Exception {
        List<String> entered = new CopyOnWriteArrayList<>();
        server.update(
                changes ->
                        changes.toolSource("zone.")
                                .find(
                                        (name, call) ->
                                                name.equals("zone.known")
                                                        ? Optional.of(zoned(name))
                                                        : Optional.empty())
                                .handle(
                                        (request, call) -> {
                                            entered.add(request.name());
                                            return CallToolResult.text("gone");
                                        }));
        assertThat(call("zone.known", "{\"zone\": 1}", "Zone:1").body()).contains("gone");
        assertThat(call("zone.other", "{\"zone\": 1}", "").body()).contains("gone");
        for (String headers : List.of("", "Zone:2")) {
            HttpResponse<String> refused = call("zone.known", "{\"zone\": 1}", headers);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
            assertThat(error(refused).get("code")).isEqualTo(JsonValue.of(-32020));
        }
        assertThat(entered).containsExactly("zone.known", "zone.other");
    }

    /** Has one tool, and nothing else. */
    private record OneTool(List<String> entered) implements Delegate {
        @Override
        public ServerCapabilities capabilities() {
            return new ServerCapabilities(
                    new ListCapability(false),
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    JsonObject.EMPTY);
        }

        @Override
        public ListToolsResult listTools(PaginatedRequest request, Call call) {
            return new ListToolsResult(List.of(zoned("zone")), null);
        }

        @Override
        public Optional<Tool> findTool(String name, Call call) {
            return Optional.of(zoned("zone")).filter(tool -> tool.name().equals(name));
        }

        @Override
        public CallToolResult callTool(CallToolRequest request, Call call) {
            entered.add(request.name());
            return CallToolResult.text("gone");
        }

        @Override
        public ListResourcesResult listResources(PaginatedRequest request, Call call) {
            return new ListResourcesResult(List.of(), null);
        }

        @Override
        public ListResourceTemplatesResult listResourceTemplates(
                PaginatedRequest request, Call call) {
            return new ListResourceTemplatesResult(List.of(), null);
        }

        @Override
        public ReadResourceResult readResource(ReadResourceRequest request, Call call) {
            throw JsonRpcException.invalidParams("no resources");
        }

        @Override
        public void subscribe(String uri, Call call) {}

        @Override
        public void unsubscribe(String uri, Call call) {}

        @Override
        public ListPromptsResult listPrompts(PaginatedRequest request, Call call) {
            return new ListPromptsResult(List.of(), null);
        }

        @Override
        public GetPromptResult getPrompt(GetPromptRequest request, Call call) {
            throw JsonRpcException.invalidParams("no prompts");
        }

        @Override
        public CompleteResult complete(CompleteRequest request, Call call) {
            throw JsonRpcException.invalidParams("no completions");
        }

        @Override
        public void setLoggingLevel(LoggingLevel level, Call call) {}
    }

    @Test
    @Requirement("N26-HDR-014")
    void toolsOfADelegateAreCheckedIfItFindsThem() throws Exception {
        List<String> entered = new CopyOnWriteArrayList<>();
        try (McpServer delegating =
                McpServer.named("delegating", "1").delegate(new OneTool(entered)).build()) {
            URI uri = delegating.serve(PerRequestFrames.listener()).uri();
            assertThat(call(uri, "zone", "{\"zone\": 1}", "Zone:1").body()).contains("gone");
            for (String headers : List.of("", "Zone:2")) {
                assertThat(call(uri, "zone", "{\"zone\": 1}", headers).statusCode()).isEqualTo(400);
            }
            assertThat(entered).containsExactly("zone");
            assertThat(call(uri, "other", "{\"zone\": 1}", "").body()).contains("gone");
        }
    }

    @Test
    @Requirement("N26-HDR-014")
    void inSessionsTheKeywordStaysInTheSchemaAndMeansNothing() throws Exception {
        URI uri = serving.uri();
        try (McpClient session = McpClient.connect(Http.to(uri))) {
            assertThat(session.tools().get(0).inputSchema().toJson())
                    .contains("\"x-mcp-header\":\"Region\"");
            assertThat(session.callTool("go", JsonObject.of("region", "eu")).text())
                    .isEqualTo("gone");
        }
    }

    @Test
    @Requirement("N26-HDR-014")
    void aGatewayComparesThemToo() throws Exception {
        try (Gateway gateway =
                Gateway.named("gateway", "1").server("places", server.inProcess()).build()) {
            URI uri = gateway.serve(PerRequestFrames.listener()).uri();
            assertThat(call(uri, "go", "{\"region\": \"eu\"}", "Region:eu").statusCode())
                    .isEqualTo(200);
            handled.clear();
            for (String headers : List.of("", "Region:us")) {
                HttpResponse<String> refused = call(uri, "go", "{\"region\": \"eu\"}", headers);
                assertThat(refused.statusCode()).isEqualTo(400);
                assertThat(error(refused).get("code")).isEqualTo(JsonValue.of(-32020));
            }
            assertThat(handled).isEmpty();
        }
    }
}
