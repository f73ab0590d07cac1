package dev.fairlead.protocol.face;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.TypeRef;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Objects;

class HandshakeFaceTest {
    private static final WireFace FACE = HandshakeFace.of(Revision.NEWEST_WITH_HANDSHAKE);

    private static JsonObject written(@org.jspecify.annotations.Nullable RawJson json) {
        return (JsonObject) Objects.requireNonNull(json).value();
    }

    @Nested
    class WhichMethods {
        @ParameterizedTest
        @CsvSource({
            "tools/call, SERVER, true",
            "tools/call, CLIENT, false",
            "roots/list, CLIENT, true",
            "roots/list, SERVER, false",
            "ping, CLIENT, true",
            "ping, SERVER, true",
            "tools/callx, SERVER, false",
            "Tools/Call, SERVER, false"
        })
        @Requirement({"ERR-005", "BASE-019"})
        void aSideIsAskedForItsOwnMethodsOnly(String name, Side side, boolean known) {
            assertThat(FACE.method(name, side).isPresent()).isEqualTo(known);
        }

        @Test
        @Requirement("LIFE-022")
        void initializedIsANotificationToTheServer() {
            assertThat(FACE.notification("notifications/initialized", Side.SERVER)).isPresent();
            assertThat(FACE.notification("notifications/initialized", Side.CLIENT)).isEmpty();
            assertThat(FACE.notification("initialized", Side.SERVER)).isEmpty();
        }

        @ParameterizedTest
        @EnumSource(value = Revision.class, mode = EnumSource.Mode.EXCLUDE, names = "V2026_07_28")
        void everyRevisionHasTheMethodsOfTheFirst(Revision revision) {
            WireFace face = HandshakeFace.of(revision);
            int methods =
                    switch (revision) {
                        case V2024_11_05, V2025_03_26 -> 15;
                        case V2025_06_18 -> 16;
                        case V2025_11_25 -> 20;
                        case V2026_07_28 -> throw new AssertionError("no handshake");
                    };
            assertThat(Methods.ALL.stream().filter(face::has).count()).isEqualTo(methods);
        }
    }

    @Nested
    class Progress {
        @Test
        @Requirement({"PROG-001", "BASE-028"})
        void theTokenTravelsBesideTheParameters() {
            RawJson json =
                    RawJson.parse(
                            "{\"name\":\"t\",\"arguments\":{},\"_meta\":{\"progressToken\":7,\"a.b/c\":1}}");
            Received<CallToolRequest> received = FACE.readParams(Methods.CALL_TOOL, json);
            assertThat(received.progressToken()).isEqualTo(ProgressToken.of(7));
            assertThat(received.params().meta()).isEqualTo(JsonObject.of("a.b/c", 1));
            assertThat(
                            written(
                                    FACE.writeParams(
                                            Methods.CALL_TOOL,
                                            received.params(),
                                            received.progressToken())))
                    .isEqualTo(json.value());
        }

        @Test
        @Requirement("PROG-001")
        void aTokenAloneLeavesNoMeta() {
            RawJson json = RawJson.parse("{\"_meta\":{\"progressToken\":\"p\"}}");
            Received<EmptyParams> received = FACE.readParams(Methods.PING, json);
            assertThat(received.params()).isEqualTo(EmptyParams.EMPTY);
            assertThat(received.progressToken()).isEqualTo(new ProgressToken(JsonValue.of("p")));
            assertThat(
                            written(
                                    FACE.writeParams(
                                            Methods.PING,
                                            EmptyParams.EMPTY,
                                            received.progressToken())))
                    .isEqualTo(json.value());
        }

        @ParameterizedTest
        @ValueSource(strings = {"1.5", "true", "{}", "[]"})
        @Requirement("PROG-002")
        void anyOtherTokenIsRefused(String token) {
            assertThatThrownBy(
                            () ->
                                    FACE.readParams(
                                            Methods.PING,
                                            RawJson.parse(
                                                    "{\"_meta\":{\"progressToken\":"
                                                            + token
                                                            + "}}")))
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessage(
                            "Invalid params: _meta.progressToken must be a string or an integer")
                    .extracting(e -> ((JsonRpcException) e).code())
                    .isEqualTo(-32602);
        }
    }

    @Nested
    class BadParameters {
        private static void refused(
                Method<?, ?> method,
                @org.jspecify.annotations.Nullable String json,
                String message) {
            assertThatThrownBy(
                            () ->
                                    FACE.readParams(
                                            method, json == null ? null : RawJson.parse(json)))
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessage(message)
                    .extracting(e -> ((JsonRpcException) e).code())
                    .isEqualTo(-32602);
        }

        @Test
        @Requirement({"ERR-009", "ERR-010"})
        void aMissingMemberIsNamed() {
            refused(Methods.CALL_TOOL, "{\"arguments\":{}}", "Invalid params: name is missing");
            refused(Methods.CALL_TOOL, null, "Invalid params: name is missing");
        }

        @Test
        @Requirement({"ERR-009", "ERR-010", "BASE-014"})
        void aWrongMemberIsNamedAndTheOthersAreCounted() {
            refused(
                    Methods.CALL_TOOL,
                    "{\"name\":1}",
                    "Invalid params: name must be a string but was a number");
            refused(
                    Methods.CALL_TOOL,
                    "{\"name\":1,\"arguments\":[1]}",
                    "Invalid params: name must be a string but was a number (and 1 more)");
            refused(
                    Methods.CALL_TOOL,
                    "{\"name\":\"t\",\"_meta\":7}",
                    "Invalid params: _meta must be an object but was a number");
        }

        @Test
        @Requirement({"ERR-013", "LOG-007"})
        void aLogLevelIsOneOfEight() {
            refused(
                    Methods.SET_LEVEL,
                    "{\"level\":\"loud\"}",
                    "Invalid params: level must be one of debug, info, notice, warning, error,"
                            + " critical, alert, emergency");
        }

        @Test
        @Requirement("ELIC-008")
        void aPageNeedsItsId() {
            refused(
                    Methods.ELICIT,
                    "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://a.example\"}",
                    "Invalid params: elicitationId is missing");
        }

        @Test
        @Requirement("ELIC-009")
        void aFormIsFlat() {
            refused(
                    Methods.ELICIT,
                    """
                    {"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}
                    """,
                    "Invalid params: requestedSchema.properties.a must have the type string,"
                            + " number, integer, boolean or array");
        }

        @Test
        @Requirement({"SAMP-009", "SAMP-011", "ERR-019"})
        void everyUseOfAToolNeedsItsResult() {
            refused(
                    Methods.CREATE_MESSAGE,
                    """
                    {"maxTokens":1,"messages":[
                      {"role":"assistant","content":{"type":"tool_use","id":"a","name":"t","input":{}}},
                      {"role":"user","content":{"type":"text","text":"and?"}}]}
                    """,
                    "Invalid params: messages[1] must have the results of exactly the tools used"
                            + " before it");
            refused(
                    Methods.CREATE_MESSAGE,
                    """
                    {"maxTokens":1,"messages":[{"role":"assistant","content":{"type":"tool_use","id":"a","name":"t","input":{}}}]}
                    """,
                    "Invalid params: messages must not end with tools whose results are missing");
        }

        @Test
        @Requirement({"SAMP-008", "SAMP-011", "ERR-019"})
        void resultsOfToolsStandAlone() {
            refused(
                    Methods.CREATE_MESSAGE,
                    """
                    {"maxTokens":1,"messages":[
                      {"role":"assistant","content":{"type":"tool_use","id":"a","name":"t","input":{}}},
                      {"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]},{"type":"text","text":"x"}]}]}
                    """,
                    "Invalid params: messages[1] must be of the user and have nothing beside the"
                            + " results of tools");
        }

        @Test
        @Requirement("ROOT-003")
        void aRootIsAFile() {
            assertThat(
                            FACE.readResult(
                                            Methods.LIST_ROOTS,
                                            RawJson.parse(
                                                    "{\"roots\":[{\"uri\":\"https://a.example\"},"
                                                            + "{\"uri\":\"file:///a\"}]}"))
                                    .roots())
                    .extracting(Root::uri)
                    .containsExactly("file:///a");
        }

        @Test
        @Requirement({"CANC-011", "ROOM-032"})
        void aNotificationThatCannotBeReadIsIgnored() {
            assertThat(
                            FACE.readNotification(
                                    Notifications.CANCELLED, RawJson.parse("{\"requestId\":null}")))
                    .isEmpty();
            assertThat(FACE.readNotification(Notifications.CANCELLED, null)).isEmpty();
        }
    }

    @Nested
    class Capabilities {
        @Test
        @Requirement({"ROOM-015", "LIFE-019"})
        void trueStandsForAnEmptyObject() {
            var capabilities =
                    FACE.readParams(
                                    Methods.INITIALIZE,
                                    RawJson.parse(
                                            """
                                            {"protocolVersion":"2025-11-25","clientInfo":{"name":"c","version":"1"},
                                             "capabilities":{"roots":true,"sampling":{"tools":true,"context":false},"elicitation":{"url":true},
                                               "tasks":{"requests":{"sampling":{"createMessage":true}},"list":null}}}
                                            """))
                            .params()
                            .capabilities();
            assertThat(capabilities.roots()).isTrue();
            assertThat(capabilities.samplingTools()).isTrue();
            assertThat(capabilities.samplingContext()).isFalse();
            assertThat(capabilities.elicitationUrl()).isTrue();
            assertThat(capabilities.elicitationForm()).isFalse();
            assertThat(capabilities.tasks().orElseThrow().takes("sampling/createMessage")).isTrue();
            assertThat(capabilities.tasks().orElseThrow().takes("elicitation/create")).isFalse();
            assertThat(capabilities.tasks().orElseThrow().list()).isNull();
        }

        @Test
        @Requirement({"ROOM-015", "LIFE-019"})
        void falseStandsForNone() {
            var capabilities =
                    FACE.readResult(
                                    Methods.INITIALIZE,
                                    RawJson.parse(
                                            """
                                            {"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},
                                             "capabilities":{"tools":true,"logging":false,"resources":{"subscribe":true}}}
                                            """))
                            .capabilities();
            assertThat(capabilities.tools()).isTrue();
            assertThat(capabilities.toolsListChanged()).isFalse();
            assertThat(capabilities.logging()).isFalse();
            assertThat(capabilities.resourcesSubscribe()).isTrue();
            assertThat(capabilities.prompts()).isFalse();
        }
    }

    @Test
    @Requirement({"ELIC-006", "ELIC-007"})
    void aQuestionWithoutModeIsAForm() {
        assertThat(
                        FACE.readParams(
                                        Methods.ELICIT,
                                        RawJson.parse(
                                                "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}"))
                                .params())
                .isInstanceOf(ElicitFormRequest.class);
    }

    @Test
    @Requirement("PING-001")
    void whatNeedsNoParametersIsWrittenWithout() {
        assertThat(FACE.writeParams(Methods.PING, EmptyParams.EMPTY, null)).isNull();
        assertThat(FACE.writeNotification(Notifications.INITIALIZED, EmptyParams.EMPTY)).isNull();
    }

    @Test
    @Requirement("SAMP-006")
    void oneBlockOfSamplingIsReadInEitherForm() {
        String list =
                "{\"role\":\"assistant\",\"model\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}";
        String one =
                "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"a\"}}";
        var read = FACE.readResult(Methods.CREATE_MESSAGE, RawJson.parse(list));
        assertThat(read).isEqualTo(FACE.readResult(Methods.CREATE_MESSAGE, RawJson.parse(one)));
        assertThat(FACE.writeResult(Methods.CREATE_MESSAGE, read).value())
                .isEqualTo(JsonValue.parse(one));
    }

    @Test
    @Requirement({"TOOL-013", "JSON-010"})
    void structuredOutputThatIsNoObjectIsWrapped() {
        assertThat(
                        written(
                                FACE.writeResult(
                                        Methods.CALL_TOOL,
                                        CallToolResult.structured(JsonValue.parse("[1,2]")))))
                .isEqualTo(
                        JsonValue.parse(
                                """
                                {"content":[{"type":"text","text":"{\\"result\\":[1,2]}"}],"structuredContent":{"result":[1,2]}}
                                """));
        Tool tool =
                new Tool("t", JsonObject.of("type", "object"))
                        .withOutputSchema(
                                (JsonObject)
                                        JsonValue.parse(
                                                """
                                                {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array",
                                                 "items":{"$ref":"#/$defs/a"},"$defs":{"a":{"type":"integer"}}}
                                                """));
        JsonObject listed =
                written(
                        FACE.writeResult(
                                Methods.LIST_TOOLS, new ListToolsResult(List.of(tool), null)));
        assertThat(((JsonObject) listed.array("tools").get(0)).object("outputSchema"))
                .isEqualTo(
                        JsonValue.parse(
                                """
                                {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","required":["result"],
                                 "properties":{"result":{"type":"array","items":{"$ref":"#/$defs/a"}}},
                                 "additionalProperties":false,"$defs":{"a":{"type":"integer"}}}
                                """));
    }

    @Test
    @Requirement("JSON-010")
    void aSchemaThatIsWrappedDescribesWhatIsWrapped() {
        record Node(List<Node> children) {}
        JsonObject own = JsonSchema.of(new TypeRef<List<Node>>() {}).json();
        JsonObject itself =
                (JsonObject) JsonValue.parse("{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}");

        JsonSchema nodes = wrapped(own);
        JsonSchema arrays = wrapped(itself);

        JsonValue children = JsonValue.parse("{\"result\":[{\"children\":[]}]}");
        assertThat(nodes.validate(children)).isEmpty();
        assertThat(nodes.validate(JsonObject.of("result", List.of(1)))).isNotEmpty();
        assertThat(arrays.validate(JsonValue.parse("{\"result\":[[[]]]}"))).isEmpty();
        assertThat(arrays.validate(JsonValue.parse("{\"result\":[[1]]}"))).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"type\":[\"object\",\"array\"],\"items\":{\"$ref\":\"#\"}}",
                "{\"oneOf\":[{\"type\":\"object\"},{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/oneOf/0\"}}}}"
            })
    @Requirement("JSON-010")
    void aSchemaOfObjectsAndOthersFitsWhatIsSentForBoth(String schema) {
        JsonSchema wrapped = wrapped((JsonObject) JsonValue.parse(schema));
        assertThat(wrapped.isObject()).isTrue();
        for (String output : List.of("{\"a\":1}", "{\"result\":1}", "{}", "[]", "[{\"a\":1}]")) {
            JsonObject sent =
                    written(
                                    FACE.writeResult(
                                            Methods.CALL_TOOL,
                                            CallToolResult.structured(JsonValue.parse(output))))
                            .object("structuredContent");
            assertThat(wrapped.validate(sent)).as(output).isEmpty();
        }
        assertThat(wrapped.validate(JsonArray.EMPTY)).isNotEmpty();
    }

    private static JsonSchema wrapped(JsonObject schema) {
        Tool tool = new Tool("t", JsonObject.of("type", "object")).withOutputSchema(schema);
        JsonObject listed =
                written(
                        FACE.writeResult(
                                Methods.LIST_TOOLS, new ListToolsResult(List.of(tool), null)));
        return JsonSchema.of(((JsonObject) listed.array("tools").get(0)).object("outputSchema"));
    }

    @Test
    @Requirement("TOOL-013")
    void onlyATextThatIsTheStructuredContentIsWrappedToo() {
        CallToolResult summary =
                CallToolResult.text("two numbers").withStructuredContent(JsonValue.parse("[1,2]"));

        assertThat(written(FACE.writeResult(Methods.CALL_TOOL, summary)))
                .isEqualTo(
                        JsonValue.parse(
                                """
                                {"content":[{"type":"text","text":"two numbers"}],"structuredContent":{"result":[1,2]}}
                                """));
    }

    /** Numbers have one value, but may have different digits, such as 1.0E10 and 1.0E+10. */
    @Test
    @Requirement("TOOL-013")
    void aTextWithOtherDigitsIsTheStructuredContentToo() {
        CallToolResult result =
                CallToolResult.text("[1.0E10]").withStructuredContent(JsonValue.parse("[1.0E10]"));

        assertThat(FACE.writeResult(Methods.CALL_TOOL, result).toJson())
                .isEqualTo(
                        """
                        {"content":[{"type":"text","text":"{\\"result\\":[1.0E10]}"}],"structuredContent":{"result":[1.0E+10]}}\
                        """);
    }

    @Test
    void structuredContentThatIsNullIsNone() {
        String json = "{\"content\":[],\"structuredContent\":null,\"isError\":null,\"_meta\":null}";
        assertThat(FACE.readResult(Methods.CALL_TOOL, RawJson.parse(json)))
                .isEqualTo(CallToolResult.of());
    }

    @Test
    void aResultOfTheWrongShapeSaysWhatIsWrong() {
        assertThatThrownBy(
                        () ->
                                FACE.readResult(
                                        Methods.LIST_TOOLS,
                                        RawJson.parse("{\"tools\":{\"name\":\"t\"}}")))
                .isInstanceOf(InvalidResultException.class)
                .hasMessage(
                        "The result of tools/list is invalid: tools must be an array but was an"
                                + " object");
    }
}
