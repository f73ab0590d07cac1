package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** Arguments that a tool does not have: of a host, or mistyped by a model. */
class UnknownArgumentsTest {
    record City(String city, @Nullable Place at) {}

    record Place(double latitude) {}

    record Job(String action) {}

    private static final Tool RAW =
            JsonCodec.of(Tool.class)
                    .read(
                            json(
                                    """
                                    {"name": "raw", "inputSchema": {"type": "object", "additionalProperties": false,
                                     "properties": {"city": {"type": "string"}}}}\
                                    """));

    private static McpServer.Builder server() {
        return McpServer.named("s", "1")
                .tool("weather", "Tests", City.class, String.class)
                .handle((city, call) -> city.toString())
                .tool("lenient", "Tests", City.class, String.class)
                .ignoreUnknownArguments()
                .handle((city, call) -> city.toString())
                .tool("job", "Tests", Job.class, String.class)
                .handle((job, call) -> job.action())
                .tool("none", "Tests", NoInput.class, String.class)
                .handle((none, call) -> "none")
                .tool(
                        "map",
                        "Tests",
                        new dev.fairlead.json.TypeRef<Map<String, Place>>() {},
                        dev.fairlead.json.TypeRef.of(String.class))
                .handle((map, call) -> map.toString())
                .tool(RAW)
                .handle((request, call) -> CallToolResult.text(request.arguments().toJson()));
    }

    private static String call(McpServer.Builder builder, String tool, String arguments)
            throws Exception {
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server)) {
            return text(peer.callTool(tool, arguments));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"toolCallId", "sessionId", "action", "chatInput"})
    void thoseThatAHostAddsAreIgnored(String name) throws Exception {
        String added = "\"%s\": {\"x\": [1]}".formatted(name);
        assertThat(call(server(), "weather", "{%s, \"city\": \"Oslo\"}".formatted(added)))
                .isEqualTo("City[city=Oslo, at=null]");
        assertThat(call(server(), "raw", "{%s, \"city\": \"Oslo\"}".formatted(added)))
                .isEqualTo("{\"city\":\"Oslo\"}");
        assertThat(call(server(), "none", "{%s}".formatted(added))).isEqualTo("none");
    }

    @Test
    void anArgumentOfTheToolArrivesWhateverItsName() throws Exception {
        assertThat(call(server(), "job", "{\"action\": \"run\", \"sessionId\": 1}"))
                .isEqualTo("run");
        assertThat(call(server(), "job", "{\"sessionId\": 1}"))
                .isEqualTo("Invalid arguments: action is missing");
        assertThat(call(server(), "map", "{\"action\": {\"latitude\": 1}}"))
                .isEqualTo("{action=Place[latitude=1.0]}");
        assertThat(call(server(), "map", "{\"a\": {\"latitude\": 1, \"action\": 1}}"))
                .isEqualTo("Invalid arguments: a.action is unknown (known: latitude)");
    }

    @Test
    void allOthersAreRefused() throws Exception {
        assertThat(call(server(), "weather", "{\"city\": \"Oslo\", \"town\": 1}"))
                .isEqualTo("Invalid arguments: town is unknown (known: city, at)");
        assertThat(call(server(), "raw", "{\"town\": 1}"))
                .isEqualTo("Invalid arguments: town is unknown");
        assertThat(
                        call(
                                server(),
                                "weather",
                                "{\"city\": \"Oslo\", \"at\": {\"latitude\": 1, \"action\": 1}}"))
                .isEqualTo("Invalid arguments: at.action is unknown (known: latitude)");
    }

    @Test
    void oneThatStandsTwiceIsRefused() throws Exception {
        try (McpServer server = server().ignoreUnknownArguments().build();
                Peer peer = Peer.of(server)) {
            for (String name : new String[] {"toolCallId", "other"}) {
                JsonObject response =
                        peer.response(
                                "tools/call",
                                ("{\"name\": \"weather\", \"arguments\": {\"city\": \"Oslo\","
                                                + " \"%s\": 1, \"%s\": 2}}")
                                        .formatted(name, name));
                assertThat(response.toJson()).contains(name + " is there twice");
            }
        }
    }

    @Test
    void aSwitchIgnoresAllAtTheToolOrTheServer() throws Exception {
        String arguments = "{\"city\": \"Oslo\", \"town\": {\"city\": 2}, \"_\": null}";
        assertThat(call(server(), "lenient", arguments)).isEqualTo("City[city=Oslo, at=null]");
        assertThat(call(server().ignoreUnknownArguments(), "weather", arguments))
                .isEqualTo("City[city=Oslo, at=null]");
        assertThat(call(server().ignoreUnknownArguments(), "raw", arguments))
                .isEqualTo("{\"city\":\"Oslo\"}");
        assertThat(
                        call(
                                server(),
                                "lenient",
                                "{\"city\": \"Oslo\", \"at\": {\"latitude\": 1, \"x\": 1}}"))
                .isEqualTo("Invalid arguments: at.x is unknown (known: latitude)");
        assertThat(call(server(), "lenient", "{\"town\": 1}"))
                .isEqualTo("Invalid arguments: city is missing");
    }

    /** A model is led to send nothing more. */
    @Test
    void theSchemaRemainsClosed() throws Exception {
        try (McpServer server = server().ignoreUnknownArguments().build();
                Peer peer = Peer.of(server)) {
            assertThat(peer.call("tools/list", "{}").array("tools").elements())
                    .filteredOn(tool -> !((JsonObject) tool).string("name").equals("map"))
                    .allMatch(
                            tool ->
                                    ((JsonObject) tool)
                                            .object("inputSchema")
                                            .toJson()
                                            .contains("\"additionalProperties\":false"));
        }
    }
}
