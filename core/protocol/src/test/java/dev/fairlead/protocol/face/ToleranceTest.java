package dev.fairlead.protocol.face;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.elicitation.ElicitAction;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.InitializeRequest;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.IncludeContext;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolAnnotations;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Objects;

/** One bad part of a message costs that part alone, and no decision follows but the careful one. */
class ToleranceTest {
    private static final WireFace SESSION = WireFace.of(Revision.NEWEST_WITH_HANDSHAKE);
    private static final WireFace REQUEST = WireFace.of(Revision.V2026_07_28);

    private static <R extends Result> R read(Method<?, R> method, String result) {
        R read = SESSION.readResult(method, RawJson.parse(result));
        if (method.isIn(Revision.V2026_07_28)) {
            String complete = "{\"resultType\":\"complete\"," + result.substring(1);
            R other = REQUEST.readResult(method, RawJson.parse(complete));
            assertThat(other).as("as in the other era").isEqualTo(read);
        }
        return read;
    }

    private static Tool tool(String more) {
        return read(
                        Methods.LIST_TOOLS,
                        "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{}," + more + "}]}")
                .tools()
                .get(0);
    }

    @Nested
    class Lists {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"name\":\"bad\"}",
                    "{\"name\":\"bad\",\"inputSchema\":null}",
                    "{\"inputSchema\":{}}",
                    "{\"name\":\"bad\",\"name\":\"worse\",\"inputSchema\":{}}",
                    "null",
                    "[1]",
                    "\"bad\""
                })
        void aToolThatCannotBeReadIsLeftOut(String bad) {
            assertThat(
                            read(
                                            Methods.LIST_TOOLS,
                                            "{\"tools\":["
                                                    + bad
                                                    + ",{\"name\":\"good\",\"inputSchema\":{}}]}")
                                    .tools())
                    .extracting(Tool::name)
                    .containsExactly("good");
        }

        @Test
        void soAreItemsOfEachOtherList() {
            assertThat(
                            read(
                                            Methods.LIST_RESOURCES,
                                            "{\"resources\":[{\"uri\":\"a:\"},{\"uri\":\"b:\",\"name\":\"b\"}]}")
                                    .resources())
                    .extracting(Resource::name)
                    .containsExactly("b");
            assertThat(
                            read(
                                            Methods.LIST_RESOURCE_TEMPLATES,
                                            "{\"resourceTemplates\":[{\"name\":\"a\"},{\"uriTemplate\":\"b:\",\"name\":\"b\"}]}")
                                    .resourceTemplates())
                    .hasSize(1);
            assertThat(
                            read(
                                            Methods.LIST_PROMPTS,
                                            "{\"prompts\":[{\"name\":\"a\",\"arguments\":[{},{\"name\":\"x\"}]},{}]}")
                                    .prompts()
                                    .get(0)
                                    .arguments())
                    .hasSize(1);
            assertThat(
                            read(
                                            Methods.COMPLETE,
                                            "{\"completion\":{\"values\":[\"a\",1,\"b\"],\"total\":\"2\"}}")
                                    .completion()
                                    .values())
                    .containsExactly("a", "b");
            assertThat(
                            read(
                                            Methods.READ_RESOURCE,
                                            "{\"contents\":[{\"uri\":\"a:\"},{\"uri\":\"b:\",\"text\":\"b\"}]}")
                                    .contents())
                    .hasSize(1);
            assertThat(
                            read(
                                            Methods.LIST_TASKS,
                                            "{\"tasks\":[{\"taskId\":\"a\"},{\"taskId\":\"b\",\"status\":\"working\","
                                                + "\"createdAt\":\"2026-01-01T00:00:00Z\",\"lastUpdatedAt\":\"2026-01-01T00:00:00Z\"}]}")
                                    .tasks())
                    .hasSize(1);
        }

        @Test
        void aListThatIsNullIsEmpty() {
            assertThat(read(Methods.LIST_TOOLS, "{\"tools\":null}").tools()).isEmpty();
            assertThat(read(Methods.LIST_ROOTS, "{\"roots\":null}").roots()).isEmpty();
        }

        @Test
        void aListThatIsMissingIsNoList() {
            assertThatThrownBy(
                            () ->
                                    SESSION.readResult(
                                            Methods.LIST_TOOLS, RawJson.parse("{\"a\":1}")))
                    .isInstanceOf(InvalidResultException.class)
                    .hasMessage("The result of tools/list is invalid: tools is missing");
        }
    }

    @Nested
    class Members {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "\"description\":5",
                    "\"title\":[]",
                    "\"icons\":{}",
                    "\"icons\":[{\"src\":1}]",
                    "\"outputSchema\":\"x\"",
                    "\"annotations\":\"x\"",
                    "\"execution\":[1]",
                    "\"_meta\":1"
                })
        void aWrongTypeCostsTheMember(String member) {
            assertThat(tool(member).name()).isEqualTo("t");
        }

        @Test
        void anUnreadableHintLeavesTheCarefulDefault() {
            ToolAnnotations hints =
                    Objects.requireNonNull(
                            tool("\"annotations\":{\"title\":1,\"readOnlyHint\":\"true\","
                                     + "\"destructiveHint\":\"false\",\"idempotentHint\":1,\"openWorldHint\":[]}")
                                    .annotations());

            assertThat(hints.isReadOnly()).isFalse();
            assertThat(hints.isDestructive()).isTrue();
            assertThat(hints.isIdempotent()).isFalse();
            assertThat(hints.isOpenWorld()).isTrue();
            assertThat(hints.otherMembers().get("readOnlyHint")).isEqualTo(new JsonString("true"));
        }

        @Test
        void anUnknownTaskSupportIsNone() {
            assertThat(tool("\"execution\":{\"taskSupport\":\"always\"}").taskSupport())
                    .isEqualTo(TaskSupport.FORBIDDEN);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"audience\":[\"user\",\"operator\"],\"priority\":0.5}|[USER]|0.5",
                    "{\"audience\":[\"operator\"],\"priority\":0.5}|[]|0.5",
                    "{\"audience\":\"user\",\"priority\":0.5}|[]|0.5",
                    "{\"audience\":null,\"priority\":7}|null|null",
                    "[]|null|null"
                })
        void anAnnotationThatIsUnknownCostsNoOther(
                String annotations, String audience, String priority) {
            CallToolResult result =
                    read(
                            Methods.CALL_TOOL,
                            "{\"content\":[{\"type\":\"text\",\"text\":\"a\",\"annotations\":"
                                    + annotations
                                    + "}]}");

            Annotations read =
                    Objects.requireNonNull(((TextContent) result.content().get(0)).annotations());
            assertThat(String.valueOf(read.audience())).isEqualTo(audience);
            assertThat(String.valueOf(read.priority())).isEqualTo(priority);
        }

        @Test
        void anUnreadableIsErrorIsAFailure() {
            assertThat(read(Methods.CALL_TOOL, "{\"content\":[],\"isError\":\"false\"}").isError())
                    .isTrue();
            assertThat(read(Methods.CALL_TOOL, "{\"content\":[],\"isError\":null}").isError())
                    .isFalse();
        }

        @Test
        void anUnknownActionIsNoConsent() {
            assertThat(
                            read(Methods.ELICIT, "{\"action\":\"allow\",\"content\":{\"a\":1}}")
                                    .action())
                    .isEqualTo(ElicitAction.CANCEL);
        }

        @Test
        void anUnknownRoleOfAPromptIsTheUser() {
            assertThat(
                            read(
                                            Methods.GET_PROMPT,
                                            "{\"messages\":[{\"role\":\"system\",\"content\":{\"type\":\"text\",\"text\":\"a\"}}]}")
                                    .messages())
                    .extracting(PromptMessage::role)
                    .containsExactly(Role.USER);
        }

        @Test
        void anUnknownStopReasonAndThemeAreKept() {
            assertThat(
                            read(
                                            Methods.CREATE_MESSAGE,
                                            "{\"role\":\"model\",\"content\":[],\"model\":\"m\",\"stopReason\":\"paused\"}")
                                    .stopReason())
                    .isEqualTo("paused");
            assertThat(
                            Objects.requireNonNull(
                                            tool("\"icons\":[{\"src\":\"data:,\",\"theme\":\"sepia\"}]")
                                                    .icons())
                                    .get(0)
                                    .theme())
                    .isEqualTo("sepia");
        }

        @Test
        void aLogMessageOfAnUnknownLevelIsAWarning() {
            assertThat(
                            SESSION.readNotification(
                                            Notifications.LOGGING_MESSAGE,
                                            RawJson.parse("{\"level\":\"fatal\",\"data\":1}"))
                                    .orElseThrow()
                                    .level())
                    .isEqualTo(LoggingLevel.WARNING);
        }

        @Test
        void aResultOfAToolNeedsNoContent() {
            for (String content : List.of("", "\"content\":null,", "\"content\":[],")) {
                CallToolResult result =
                        read(Methods.CALL_TOOL, "{" + content + "\"structuredContent\":{\"a\":1}}");
                assertThat(result.content()).isEmpty();
                assertThat(result.structuredContent()).isEqualTo(JsonObject.of("a", 1));
            }
        }
    }

    @Nested
    class Requests {
        @Test
        void whatDecidesWhatIsDoneIsRefused() {
            for (String params :
                    List.of(
                            "{\"name\":\"t\",\"arguments\":\"x\"}",
                            "{\"name\":\"t\",\"task\":\"x\"}",
                            "{\"name\":\"t\",\"_meta\":\"x\"}")) {
                assertThatThrownBy(
                                () -> SESSION.readParams(Methods.CALL_TOOL, RawJson.parse(params)))
                        .as(params)
                        .isInstanceOf(JsonRpcException.class);
            }
        }

        @Test
        void nullAsksForNothing() {
            assertThat(
                            SESSION.readParams(
                                            Methods.LIST_TOOLS,
                                            RawJson.parse(
                                                    "{\"cursor\":null,\"_meta\":{\"progressToken\":null}}"))
                                    .progressToken())
                    .isNull();
            assertThat(
                            REQUEST.readParams(
                                            Methods.LIST_TOOLS,
                                            RawJson.parse(
                                                    """
                                                    {"_meta":{"progressToken":null,"io.modelcontextprotocol/logLevel":null,
                                                      "io.modelcontextprotocol/protocolVersion":"2026-07-28",
                                                      "io.modelcontextprotocol/clientCapabilities":{}}}
                                                    """))
                                    .progressToken())
                    .isNull();
            assertThat(
                            REQUEST.readResult(
                                            Methods.LIST_TOOLS,
                                            RawJson.parse("{\"resultType\":null,\"tools\":[]}"))
                                    .tools())
                    .isEmpty();
        }

        @Test
        void emptyArraysAreObjectsWithoutMembers() {
            var call =
                    SESSION.readParams(
                                    Methods.CALL_TOOL,
                                    RawJson.parse("{\"name\":\"t\",\"arguments\":[],\"_meta\":[]}"))
                            .params();
            assertThat(call.arguments()).isEqualTo(JsonObject.EMPTY);
        }

        @Test
        void anUnknownContextOfASamplingRequestIsNone() {
            CreateMessageRequest request =
                    SESSION.readParams(
                                    Methods.CREATE_MESSAGE,
                                    RawJson.parse(
                                            "{\"messages\":[],\"maxTokens\":1,\"includeContext\":\"everything\"}"))
                            .params();
            assertThat(request.includeContext()).isEqualTo(IncludeContext.NONE);
        }

        /** Reads a sample in both eras. */
        private static CreateMessageRequest sample(String params) {
            RawJson raw = RawJson.parse(params);
            CreateMessageRequest read = SESSION.readParams(Methods.CREATE_MESSAGE, raw).params();
            InputRequest asked =
                    new InputRequest(Methods.CREATE_MESSAGE.name(), (JsonObject) raw.value());
            assertThat(PerRequestFace.inputParams(Methods.CREATE_MESSAGE, "k", asked))
                    .isEqualTo(read);
            return read;
        }

        @Test
        void anUnreadableHintCostsNoSample() {
            CreateMessageRequest request =
                    sample(
                            """
                            {"messages":[{"role":"user","content":{"type":"text","text":"a","annotations":{"priority":2}}},
                              {"role":"model","content":[{"type":"text","text":"b","annotations":"x"}]}],
                             "maxTokens":1,"temperature":"0.7","stopSequences":"x","systemPrompt":"s",
                             "modelPreferences":{"costPriority":7,"speedPriority":1},
                             "tools":[{"name":"bad"},{"name":"t","inputSchema":{},"annotations":{"readOnlyHint":"yes"},
                               "execution":{"taskSupport":"sometimes"}}]}
                            """);

            assertThat(request.messages()).hasSize(2);
            assertThat(request.temperature()).isNull();
            assertThat(request.systemPrompt()).isEqualTo("s");
            Tool tool = Objects.requireNonNull(request.tools()).getFirst();
            assertThat(tool.taskSupport()).isEqualTo(TaskSupport.FORBIDDEN);
            assertThat(Objects.requireNonNull(tool.annotations()).isReadOnly()).isFalse();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\"}}]",
                    "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},7]}]",
                    "\"messages\":[null]",
                    "\"messages\":null",
                    "\"messages\":{}",
                    "\"messages\":[],\"task\":\"x\"",
                    "\"messages\":[],\"_meta\":\"x\"",
                    "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"tool_result\","
                            + "\"toolUseId\":\"u\",\"content\":[]}}]",
                    "\"messages\":[{\"role\":\"assistant\",\"content\":{\"type\":\"tool_use\","
                        + "\"id\":\"u\",\"name\":\"t\",\"input\":{}}},{\"role\":\"user\","
                        + "\"content\":{\"type\":\"tool_result\",\"toolUseId\":\"u\","
                        + "\"content\":[{\"type\":\"text\"},{\"type\":\"text\",\"text\":\"a\"}]}}]"
                })
        void theMessagesOfASampleAndItsTaskAreRefusedIfUnreadable(String members) {
            String params = "{\"maxTokens\":1,\"temperature\":\"0.7\"," + members + "}";
            assertThatThrownBy(
                            () -> SESSION.readParams(Methods.CREATE_MESSAGE, RawJson.parse(params)))
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessageStartingWith("Invalid params: ");
            InputRequest asked =
                    new InputRequest(
                            Methods.CREATE_MESSAGE.name(),
                            (JsonObject) RawJson.parse(params).value());
            assertThatThrownBy(() -> PerRequestFace.inputParams(Methods.CREATE_MESSAGE, "k", asked))
                    .isInstanceOf(InvalidResultException.class);
        }
    }

    @Nested
    class Capabilities {
        @Test
        void emptyArraysAreCapabilitiesOfAServer() {
            ServerCapabilities server =
                    SESSION.readResult(
                                    Methods.INITIALIZE,
                                    RawJson.parse(
                                            """
                                            {"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},
                                             "capabilities":{"tools":[],"logging":[],"prompts":"no","tasks":{"requests":{"tools":{"call":[]}}}}}
                                            """))
                            .capabilities();
            assertThat(server.tools()).isTrue();
            assertThat(server.logging()).isTrue();
            assertThat(server.prompts()).isFalse();
            assertThat(server.tasks().orElseThrow().takes("tools/call")).isTrue();
        }

        /** A client that names no way says by it that it shows forms. */
        @Test
        void aWayToAskThatIsDeniedOrUnreadableIsNone() {
            String longUrl = "\"" + "x".repeat(2_000) + "\"";
            for (String ways :
                    List.of(
                            "\"form\":\"no\"",
                            "\"form\":false",
                            "\"form\":false,\"url\":false",
                            "\"url\":7",
                            "\"url\":" + longUrl)) {
                assertThat(client("{\"elicitation\":{" + ways + "}}").elicitation())
                        .as(ways)
                        .isFalse();
            }
            ClientCapabilities pages = client("{\"elicitation\":{\"form\":false,\"url\":{}}}");
            assertThat(pages.elicitationUrl()).isTrue();
            assertThat(pages.elicitationForm()).isFalse();
            for (String ways : List.of("", "\"form\":[]", "\"form\":null", "\"url\":false")) {
                assertThat(client("{\"elicitation\":{" + ways + "}}").elicitationForm())
                        .as(ways)
                        .isTrue();
            }
        }

        @Test
        void aServerNeedsNoName() {
            for (String named :
                    List.of(
                            "",
                            ",\"serverInfo\":null",
                            ",\"serverInfo\":{\"name\":\"s\",\"version\":2}")) {
                assertThat(
                                SESSION.readResult(
                                                Methods.INITIALIZE,
                                                RawJson.parse(
                                                        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}"
                                                                + named
                                                                + "}"))
                                        .serverInfo()
                                        .version())
                        .isEmpty();
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    ",\"clientInfo\":null",
                    ",\"clientInfo\":[]",
                    ",\"clientInfo\":\"c\"",
                    ",\"clientInfo\":{\"name\":\"c\"}",
                    ",\"clientInfo\":{\"name\":\"c\",\"version\":1}"
                })
        void aClientNeedsNoName(String named) {
            InitializeRequest client =
                    SESSION.readParams(
                                    Methods.INITIALIZE,
                                    RawJson.parse(
                                            "{\"protocolVersion\":\"2025-11-25\""
                                                    + ",\"capabilities\":{\"roots\":{}}"
                                                    + named
                                                    + "}"))
                            .params();
            assertThat(client.clientInfo().version()).isEmpty();
            assertThat(client.capabilities().roots()).isTrue();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", ",\"capabilities\":\"none\"", ",\"capabilities\":7"})
        void aPeerNeedsNoCapabilities(String capabilities) {
            String program = ":{\"name\":\"p\",\"version\":\"1\"}";
            String message =
                    "{\"protocolVersion\":\"2025-11-25\""
                            + capabilities
                            + ",\"%sInfo\""
                            + program
                            + "}";
            assertThat(
                            SESSION.readParams(
                                            Methods.INITIALIZE,
                                            RawJson.parse(message.formatted("client")))
                                    .params()
                                    .capabilities())
                    .isEqualTo(ClientCapabilities.NONE);
            assertThat(
                            SESSION.readResult(
                                            Methods.INITIALIZE,
                                            RawJson.parse(message.formatted("server")))
                                    .capabilities()
                                    .tools())
                    .isFalse();
        }

        @Test
        void emptyArraysAreCapabilitiesOfAClient() {
            ClientCapabilities client =
                    client("{\"experimental\":[],\"roots\":[],\"sampling\":[]}");
            assertThat(client.roots()).isTrue();
            assertThat(client.sampling()).isTrue();
            assertThat(client.elicitation()).isFalse();
            assertThat(client("null")).isEqualTo(ClientCapabilities.NONE);
        }

        @Test
        void anUnreadableWayToAskGivesNoOther() {
            assertThat(client("{\"elicitation\":{\"url\":\"yes\"}}").elicitation()).isFalse();
            assertThat(client("{\"elicitation\":\"yes\"}").elicitation()).isFalse();
        }

        private ClientCapabilities client(String capabilities) {
            return SESSION.readParams(
                            Methods.INITIALIZE,
                            RawJson.parse(
                                    "{\"protocolVersion\":\"2025-11-25\",\"clientInfo\":{\"name\":\"c\",\"version\":\"1\",\"icons\":7},\"capabilities\":"
                                            + capabilities
                                            + "}"))
                    .params()
                    .capabilities();
        }
    }
}
