package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.Range;
import dev.fairlead.json.Size;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;

/** Tools whose arguments and results are records. */
class TypedToolTest {
    record Person(@Doc("Whom to greet") String name) {}

    record Query(
            @Doc("City name") @Size(min = 1, max = 80) String city,
            @Doc("Days ahead") @Range(min = 0, max = 10) @Default("1") int days,
            @Nullable Unit unit) {
        Query {
            if (city.isBlank()) {
                throw new IllegalArgumentException("city must not be blank");
            }
        }
    }

    enum Unit {
        CELSIUS,
        FAHRENHEIT
    }

    record Forecast(String city, @Range(min = 0, max = 10) int days) {}

    private static McpServer.Builder server() {
        return McpServer.named("weather", "1.0.0")
                .tool("greet", "Greets a person by name", Person.class, String.class)
                .handle((person, call) -> "Hello, " + person.name() + "!")
                .tool("forecast", "Weather for a city", Query.class, Forecast.class)
                .title("Forecast")
                .readOnly()
                .handle((query, call) -> new Forecast(query.city(), query.days()))
                .tool("names", "All names", NoInput.class, new TypeRef<List<String>>() {})
                .handle((none, call) -> List.of("Seoul", "Oslo"));
    }

    @Test
    @Requirement({"TOOL-003", "TOOL-004"})
    void aTextIsTheOnlyBlockOfItsResult() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            assertThat(peer.callTool("greet", "{\"name\": \"Ada\"}"))
                    .isEqualTo(
                            json(
                                    "{\"content\": [{\"type\": \"text\", \"text\": \"Hello,"
                                            + " Ada!\"}]}"));
        }
    }

    @Test
    @Requirement({"TOOL-013", "TOOL-014"})
    void anotherClassIsStructuredContentAndItsText() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            JsonObject result = peer.callTool("forecast", "{\"city\": \"Seoul\", \"days\": 2}");

            assertThat(result.get("structuredContent"))
                    .isEqualTo(json("{\"city\": \"Seoul\", \"days\": 2}"));
            assertThat(json(text(result))).isEqualTo(result.get("structuredContent"));
        }
    }

    @Test
    @Requirement("TOOL-013")
    void anOutputThatIsNoObjectIsWrapped() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            JsonObject tool = (JsonObject) peer.call("tools/list", "{}").array("tools").get(2);

            assertThat(peer.callTool("names", "{}").get("structuredContent"))
                    .isEqualTo(json("{\"result\": [\"Seoul\", \"Oslo\"]}"));
            assertThat(
                            tool.object("outputSchema")
                                    .object("properties")
                                    .object("result")
                                    .string("type"))
                    .isEqualTo("array");
        }
    }

    /** Only the wire has the wrapped form, and there it is the same with interceptors. */
    @ParameterizedTest
    @EnumSource(value = Revision.class, mode = EnumSource.Mode.EXCLUDE, names = "V2026_07_28")
    @Requirement({"TOOL-013", "TOOL-014"})
    void interceptorsSeeAnOutputThatIsNoObjectAsItIs(Revision revision) throws Exception {
        List<@Nullable JsonValue> seen = new ArrayList<>();
        Interceptor observer =
                (method, next) -> {
                    Outcome<?> outcome = next.proceed(method);
                    if (outcome instanceof Outcome.Complete<?>(CallToolResult result)) {
                        seen.add(result.structuredContent());
                    }
                    return outcome;
                };
        try (McpServer plain = server().build();
                McpServer observed = server().intercept(observer).build();
                Peer first = Peer.of(plain, revision, "{}");
                Peer second = Peer.of(observed, revision, "{}")) {
            JsonObject result = first.callTool("names", "{}");

            assertThat(json(text(result))).isEqualTo(json("{\"result\": [\"Seoul\", \"Oslo\"]}"));
            assertThat(second.callTool("names", "{}")).isEqualTo(result);
            assertThat(seen).containsExactly(JsonValue.parse("[\"Seoul\", \"Oslo\"]"));
            assertThat(second.call("tools/list", "{}")).isEqualTo(first.call("tools/list", "{}"));
        }
    }

    @Test
    @Requirement("VERS-009")
    void anOldClientGetsTheTextAlone() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server, Revision.V2024_11_05, "{}")) {
            JsonObject result = peer.callTool("forecast", "{\"city\": \"Seoul\"}");

            assertThat(result.names()).containsExactly("content");
            assertThat(json(text(result))).isEqualTo(json("{\"city\": \"Seoul\", \"days\": 1}"));
        }
    }

    @Test
    @Requirement({"TOOL-017", "TOOL-021", "TOOL-028", "VERS-027"})
    void invalidArgumentsAreReportedForEachField() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            JsonObject result =
                    peer.callTool("forecast", "{\"city\": 7, \"days\": 11, \"moon\": true}");

            assertThat(result.bool("isError")).isTrue();
            assertThat(text(result))
                    .startsWith("Invalid arguments: ")
                    .contains("city must be", "days must", "moon");
        }
    }

    @Test
    @Requirement("TOOL-028")
    void whatTheRecordRefusesIsAnInvalidArgument() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            JsonObject result = peer.callTool("forecast", "{\"city\": \" \"}");

            assertThat(result.bool("isError")).isTrue();
            assertThat(text(result)).contains("city must not be blank");
        }
    }

    @Test
    @Requirement({"TOOL-018", "ERR-010"})
    void anUnknownToolIsAnInvalidParameter() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            peer.send(
                    """
                    {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "nope"}}\
                    """);

            assertThat(peer.responseTo(7))
                    .isEqualTo(
                            json(
                                    """
                                    {"jsonrpc": "2.0", "id": 7, "error": {"code": -32602, "message": "Unknown tool: nope"}}\
                                    """));
        }
    }

    @Test
    @Requirement("TOOL-029")
    void aFailedToolReturnsItsMessageToTheModel() throws Exception {
        try (McpServer server =
                        McpServer.named("s", "1")
                                .tool("fail", "Tested", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            throw new ToolFailedException("no station in Atlantis");
                                        })
                                .build();
                Peer peer = Peer.of(server)) {
            assertThat(peer.callTool("fail", "{}"))
                    .isEqualTo(
                            json(
                                    """
                                    {"content": [{"type": "text", "text": "no station in Atlantis"}], "isError": true}\
                                    """));
        }
    }

    @Test
    @Requirement({"TOOL-029", "ERR-027"})
    void anUnexpectedFailureIsReportedByReferenceOnly() throws Exception {
        try (McpServer server =
                        McpServer.named("s", "1")
                                .tool("fail", "Tested", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            throw new IllegalStateException("password is hunter2");
                                        })
                                .build();
                Peer peer = Peer.of(server)) {
            JsonObject result = peer.callTool("fail", "{}");

            assertThat(result.bool("isError")).isTrue();
            assertThat(text(result)).matches("Internal error, reference [0-9a-f]+");
        }
    }

    @Test
    @Requirement({"TOOL-015", "TOOL-030"})
    void anOutputThatBreaksItsOwnSchemaIsAnInternalError() throws Exception {
        try (McpServer server =
                        McpServer.named("s", "1")
                                .tool("forecast", "Tested", NoInput.class, Forecast.class)
                                .handle((none, call) -> new Forecast("Oslo", 11))
                                .build();
                Peer peer = Peer.of(server)) {
            JsonObject error = peer.error("tools/call", "{\"name\": \"forecast\"}");

            assertThat(Peer.code(error)).isEqualTo(-32603);
            assertThat(error.string("message")).matches("Internal error, reference [0-9a-f]+");
        }
    }

    @Test
    @Requirement("TOOL-004")
    void contentAndResultsStandAsTheyAre() throws Exception {
        try (McpServer server =
                        McpServer.named("s", "1")
                                .tool("image", "Tested", NoInput.class, Content.class)
                                .handle((none, call) -> Content.image("AAAA", "image/png"))
                                .tool(
                                        "two",
                                        "Tested",
                                        NoInput.class,
                                        new TypeRef<List<Content>>() {})
                                .handle(
                                        (none, call) ->
                                                List.of(Content.text("a"), Content.text("b")))
                                .tool("own", "Tested", NoInput.class, CallToolResult.class)
                                .handle(
                                        (none, call) ->
                                                CallToolResult.text("own")
                                                        .withMeta(JsonObject.of("a/b", 1)))
                                .tool("none", "Tested", NoInput.class, Void.class)
                                .handle((none, call) -> null)
                                .build();
                Peer peer = Peer.of(server)) {
            assertThat(peer.callTool("image", "{}").array("content").toJson())
                    .isEqualTo(
                            "[{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"}]");
            assertThat(peer.callTool("two", "{}").array("content").size()).isEqualTo(2);
            assertThat(peer.callTool("own", "{}").object("_meta")).isEqualTo(json("{\"a/b\": 1}"));
            assertThat(peer.callTool("none", "{}")).isEqualTo(json("{\"content\": []}"));
        }
    }

    @Test
    @Requirement("TOOL-006")
    void aDefinitionSaysAllThatItsDeclarationSays() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.of(server)) {
            JsonObject tool = (JsonObject) peer.call("tools/list", "{}").array("tools").get(1);

            assertThat(tool.string("name")).isEqualTo("forecast");
            assertThat(tool.string("title")).isEqualTo("Forecast");
            assertThat(tool.object("annotations")).isEqualTo(json("{\"readOnlyHint\": true}"));
            assertThat(
                            tool.object("inputSchema")
                                    .object("properties")
                                    .object("city")
                                    .string("description"))
                    .isEqualTo("City name");
            assertThat(tool.object("outputSchema").string("type")).isEqualTo("object");
        }
    }

    record Job(Thread thread) {}

    @Test
    void aToolWhoseTypesHaveNoJsonFormIsNamed() {
        McpServer.Builder server = McpServer.named("s", "1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.tool("run", "Runs", Job.class, String.class))
                .withMessage(
                        "the input of the tool run: dev.fairlead.server.TypedToolTest$Job.thread:"
                                + " java.lang.Thread has no JSON form; use a record, a sealed"
                                + " interface or a type that the documentation of the package"
                                + " dev.fairlead.json lists");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.tool("run", "Runs", Person.class, void.class))
                .withMessageStartingWith("the output of the tool run: void has no JSON form; ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.tool("run", "Runs", Person.class, List.class))
                .withMessageStartingWith(
                        "the output of the tool run: java.util.List lacks its type arguments; give"
                                + " them by a TypeRef, such as new TypeRef<List<String>>() {}");
    }
}
