package dev.fairlead.protocol.face;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.ProgressNotification;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Objects;

class OlderRevisionsTest {
    private static final WireFace V1 = HandshakeFace.of(Revision.V2024_11_05);
    private static final WireFace V2 = HandshakeFace.of(Revision.V2025_03_26);
    private static final WireFace V3 = HandshakeFace.of(Revision.V2025_06_18);
    private static final WireFace NEWEST = HandshakeFace.of(Revision.NEWEST_WITH_HANDSHAKE);

    /** Returns a result as a face sends it, given the form of the newest revision. */
    private static <R extends Result> JsonObject result(
            WireFace face, Method<?, R> method, String json) {
        return (JsonObject)
                face.writeResult(method, NEWEST.readResult(method, RawJson.parse(json))).value();
    }

    /** Returns parameters as a face sends them, given the form of the newest revision. */
    private static <P extends RequestParams> JsonObject params(
            WireFace face, Method<P, ?> method, String json) {
        P params = NEWEST.readParams(method, RawJson.parse(json)).params();
        return (JsonObject) Objects.requireNonNull(face.writeParams(method, params, null)).value();
    }

    private static JsonObject json(String text) {
        return (JsonObject) JsonValue.parse(text);
    }

    @Nested
    class Definitions {
        private static final String TOOLS =
                """
                {"tools": [{"name": "t", "title": "T", "description": "d", "inputSchema": {"type": "object"},
                  "outputSchema": {"type": "object"}, "execution": {"taskSupport": "optional"},
                  "annotations": {"readOnlyHint": true}, "icons": [{"src": "https://a.example/i"}], "x": 1}]}
                """;

        @Test
        @Requirement("VERS-004")
        void toolsLoseIconsAndExecutionBefore20251125() {
            assertThat(result(V3, Methods.LIST_TOOLS, TOOLS))
                    .isEqualTo(
                            json(
                                    """
                                    {"tools": [{"name": "t", "title": "T", "description": "d", "inputSchema": {"type": "object"},
                                      "outputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}, "x": 1}]}
                                    """));
        }

        @Test
        @Requirement("VERS-009")
        void toolsLoseOutputSchemasBefore20250618AndKeepTheirTitleAmongTheAnnotations() {
            assertThat(result(V2, Methods.LIST_TOOLS, TOOLS))
                    .isEqualTo(
                            json(
                                    """
                                    {"tools": [{"name": "t", "description": "d", "inputSchema": {"type": "object"},
                                      "annotations": {"title": "T", "readOnlyHint": true}, "x": 1}]}
                                    """));
        }

        @Test
        @Requirement("VERS-010")
        void toolsLoseAnnotationsBefore20250326() {
            assertThat(result(V1, Methods.LIST_TOOLS, TOOLS))
                    .isEqualTo(
                            json(
                                    """
                                    {"tools": [{"name": "t", "description": "d", "inputSchema": {"type": "object"}, "x": 1}]}
                                    """));
        }

        @Test
        @Requirement("VERS-002")
        void resourcesLoseIconsThenTitlesAndDates() {
            String resources =
                    """
                    {"resources": [{"uri": "a:b", "name": "n", "title": "T", "icons": [{"src": "https://a.example/i"}],
                      "annotations": {"priority": 1, "lastModified": "2026-01-31"}}]}
                    """;
            assertThat(result(V3, Methods.LIST_RESOURCES, resources))
                    .isEqualTo(
                            json(
                                    """
                                    {"resources": [{"uri": "a:b", "name": "n", "title": "T",
                                      "annotations": {"priority": 1, "lastModified": "2026-01-31"}}]}
                                    """));
            assertThat(result(V2, Methods.LIST_RESOURCES, resources))
                    .isEqualTo(
                            json(
                                    "{\"resources\": [{\"uri\": \"a:b\", \"name\": \"n\","
                                            + " \"annotations\": {\"priority\": 1}}]}"));
        }

        @Test
        @Requirement("VERS-002")
        void templatesAndPromptsLoseIconsAndTitles() {
            assertThat(
                            result(
                                    V2,
                                    Methods.LIST_RESOURCE_TEMPLATES,
                                    """
                                    {"resourceTemplates": [{"uriTemplate": "a:{b}", "name": "n", "title": "T",
                                      "annotations": {"lastModified": "2026-01-31"}, "icons": []}]}
                                    """))
                    .isEqualTo(
                            json(
                                    "{\"resourceTemplates\": [{\"uriTemplate\": \"a:{b}\","
                                            + " \"name\": \"n\", \"annotations\": {}}]}"));
            assertThat(
                            result(
                                    V2,
                                    Methods.LIST_PROMPTS,
                                    """
                                    {"prompts": [{"name": "p", "title": "P", "icons": [],
                                      "arguments": [{"name": "a", "title": "A", "required": true}]}]}
                                    """))
                    .isEqualTo(
                            json(
                                    "{\"prompts\": [{\"name\": \"p\", \"arguments\": [{\"name\":"
                                            + " \"a\", \"required\": true}]}]}"));
        }

        @Test
        @Requirement("VERS-002")
        void olderPeersReceiveFewerMembersOfTheServerInfo() {
            String initialize =
                    """
                    {"protocolVersion": "2025-06-18", "capabilities": {},
                     "serverInfo": {"name": "s", "version": "1", "title": "S", "description": "d", "websiteUrl": "https://s.example", "icons": []}}
                    """;
            assertThat(result(V3, Methods.INITIALIZE, initialize).object("serverInfo"))
                    .isEqualTo(json("{\"name\": \"s\", \"version\": \"1\", \"title\": \"S\"}"));
            assertThat(result(V2, Methods.INITIALIZE, initialize).object("serverInfo"))
                    .isEqualTo(json("{\"name\": \"s\", \"version\": \"1\"}"));
        }

        @Test
        @Requirement("VERS-002")
        void completionHasNoContextBefore20250618() {
            assertThat(
                            params(
                                    V2,
                                    Methods.COMPLETE,
                                    """
                                    {"ref": {"type": "ref/prompt", "name": "p", "title": "P"},
                                     "argument": {"name": "a", "value": ""}, "context": {"arguments": {"b": "c"}}}
                                    """))
                    .isEqualTo(
                            json(
                                    """
                                    {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}}
                                    """));
        }
    }

    @Nested
    class Contents {
        private static final String LINK =
                """
                {"content": [{"type": "resource_link", "uri": "docs://guide", "name": "guide", "title": "Guide",
                  "description": "How to", "icons": [], "annotations": {"priority": 1, "lastModified": "2026-01-31"}}]}
                """;

        @Test
        @Requirement("VERS-009")
        void aLinkIsATextBefore20250618() {
            assertThat(result(V2, Methods.CALL_TOOL, LINK))
                    .isEqualTo(
                            json(
                                    """
                                    {"content": [{"type": "text", "text": "Guide: docs://guide\\nHow to", "annotations": {"priority": 1}}]}
                                    """));
        }

        @Test
        @Requirement("VERS-002")
        void aLinkLosesItsIconsIn20250618() {
            assertThat(result(V3, Methods.CALL_TOOL, LINK))
                    .isEqualTo(
                            json(
                                    """
                                    {"content": [{"type": "resource_link", "uri": "docs://guide", "name": "guide", "title": "Guide",
                                      "description": "How to", "annotations": {"priority": 1, "lastModified": "2026-01-31"}}]}
                                    """));
        }

        @Test
        @Requirement("VERS-010")
        void aSoundIsAnEmbeddedResourceIn20241105() {
            String sound =
                    """
                    {"messages": [{"role": "user", "content":
                      {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav", "annotations": {"priority": 1}}}]}
                    """;
            assertThat(result(V1, Methods.GET_PROMPT, sound))
                    .isEqualTo(
                            json(
                                    """
                                    {"messages": [{"role": "user", "content": {"type": "resource",
                                      "resource": {"uri": "embedded:audio", "mimeType": "audio/wav", "blob": "UklGRg=="},
                                      "annotations": {"priority": 1}}}]}
                                    """));
            assertThat(result(V2, Methods.GET_PROMPT, sound)).isEqualTo(json(sound));
        }

        @Test
        @Requirement("VERS-009")
        void structuredContentIsLeftOutBefore20250618() {
            String structured =
                    """
                    {"content": [{"type": "text", "text": "{\\"a\\":1}"}], "structuredContent": {"a": 1}}
                    """;
            assertThat(result(V3, Methods.CALL_TOOL, structured)).isEqualTo(json(structured));
            assertThat(result(V2, Methods.CALL_TOOL, structured))
                    .isEqualTo(
                            json(
                                    "{\"content\": [{\"type\": \"text\", \"text\":"
                                            + " \"{\\\"a\\\":1}\"}]}"));
        }

        @Test
        @Requirement({"VERS-009", "TOOL-014"})
        void structuredContentWithoutTextBecomesOne() {
            assertThat(
                            result(
                                    V2,
                                    Methods.CALL_TOOL,
                                    "{\"content\": [], \"structuredContent\": {\"a\": 1}}"))
                    .isEqualTo(
                            json(
                                    "{\"content\": [{\"type\": \"text\", \"text\":"
                                            + " \"{\\\"a\\\":1}\"}]}"));
        }

        @Test
        @Requirement("VERS-002")
        void contentOfAnUnknownTypeIsTextForOlderPeers() {
            String video = "{\"content\": [{\"type\": \"video\", \"data\": \"AA==\"}]}";
            assertThat(result(V3, Methods.CALL_TOOL, video))
                    .isEqualTo(
                            json(
                                    """
                                    {"content": [{"type": "text", "text": "{\\"type\\":\\"video\\",\\"data\\":\\"AA==\\"}"}]}
                                    """));
            assertThat(result(NEWEST, Methods.CALL_TOOL, video)).isEqualTo(json(video));
        }
    }

    @Nested
    class Capabilities {
        private final ClientCapabilities client =
                NEWEST.readParams(
                                Methods.INITIALIZE,
                                RawJson.parse(
                                        """
                                        {"protocolVersion": "2025-11-25", "clientInfo": {"name": "c", "version": "1"},
                                         "capabilities": {"roots": {"listChanged": true}, "sampling": {"tools": {}, "context": {}},
                                           "elicitation": {"form": {}, "url": {}}, "tasks": {"list": {}}, "x": {}}}
                                        """))
                        .params()
                        .capabilities();

        @Test
        @Requirement({"VERS-003", "VERS-007"})
        void aClientDeclaresOnlyWhat20250618Knows() {
            assertThat(write(V3))
                    .isEqualTo(
                            json(
                                    "{\"roots\": {\"listChanged\": true}, \"sampling\": {},"
                                            + " \"elicitation\": {}, \"x\": {}}"));
        }

        @Test
        @Requirement("VERS-012")
        void thereIsNoElicitationBefore20250618() {
            assertThat(write(V2))
                    .isEqualTo(
                            json(
                                    "{\"roots\": {\"listChanged\": true}, \"sampling\": {}, \"x\":"
                                            + " {}}"));
        }

        @Test
        @Requirement("VERS-003")
        void aClientThatOnlyOpensPagesHasNoElicitationIn20250618() {
            ClientCapabilities pages =
                    new ClientCapabilities(
                            null,
                            null,
                            new ClientCapabilities.Elicitation(null, JsonObject.EMPTY),
                            null,
                            null,
                            null,
                            JsonObject.EMPTY);
            assertThat(V3.limit(pages).elicitation()).isFalse();
            assertThat(NEWEST.limit(pages).elicitationUrl()).isTrue();
        }

        private static ServerCapabilities logging(
                @Nullable JsonObject completions, @Nullable TasksCapability tasks) {
            return new ServerCapabilities(
                    null,
                    null,
                    null,
                    completions,
                    JsonObject.EMPTY,
                    tasks,
                    null,
                    null,
                    JsonObject.EMPTY);
        }

        @Test
        @Requirement({"VERS-003", "VERS-010"})
        void aServerDeclaresOnlyWhatTheRevisionKnows() {
            TasksCapability tasks = new TasksCapability().taking("tools/call");
            ServerCapabilities all = logging(JsonObject.EMPTY, tasks);
            assertThat(V2.limit(all)).isEqualTo(all.withTasks(null));
            assertThat(V1.limit(all)).isEqualTo(logging(null, null));
            assertThat(NEWEST.limit(all)).isSameAs(all);
        }

        @Test
        @Requirement("VERS-011")
        void completionNeedsNoCapabilityIn20241105() {
            assertThat(V1.capability(Methods.COMPLETE)).isEmpty();
            assertThat(V2.capability(Methods.COMPLETE)).contains("completions");
        }

        private JsonObject write(WireFace face) {
            var request =
                    new dev.fairlead.protocol.lifecycle.InitializeRequest(
                            "2025-06-18",
                            client,
                            new dev.fairlead.protocol.base.Implementation("c", "1"));
            return ((JsonObject)
                            Objects.requireNonNull(
                                            face.writeParams(Methods.INITIALIZE, request, null))
                                    .value())
                    .object("capabilities");
        }
    }

    @Nested
    class Sampling {
        @Test
        @Requirement("VERS-008")
        void aMessageOfSeveralBlocksIsSeveralMessages() {
            assertThat(
                            params(
                                    V3,
                                    Methods.CREATE_MESSAGE,
                                    """
                                    {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}],
                                     "maxTokens": 9, "task": {}}
                                    """))
                    .isEqualTo(
                            json(
                                    """
                                    {"messages": [{"role": "user", "content": {"type": "text", "text": "a"}},
                                                  {"role": "user", "content": {"type": "text", "text": "b"}}], "maxTokens": 9}
                                    """));
        }

        @Test
        @Requirement({"VERS-003", "VERS-008"})
        void thereAreNoToolsBefore20251125() {
            assertThatThrownBy(
                            () ->
                                    params(
                                            V3,
                                            Methods.CREATE_MESSAGE,
                                            """
                                            {"messages": [], "maxTokens": 9, "tools": []}
                                            """))
                    .isInstanceOf(CapabilityException.class)
                    .hasMessage("revision 2025-06-18 has no tools in sampling");
        }

        @Test
        @Requirement({"VERS-008", "VERS-010"})
        void thereIsNoSoundBefore20250326() {
            String sound =
                    """
                    {"messages": [{"role": "user", "content": {"type": "audio", "data": "", "mimeType": "audio/wav"}}], "maxTokens": 9}
                    """;
            assertThat(params(V2, Methods.CREATE_MESSAGE, sound)).isEqualTo(json(sound));
            assertThatThrownBy(() -> params(V1, Methods.CREATE_MESSAGE, sound))
                    .hasMessage("revision 2024-11-05 has no sound in sampling");
        }

        @Test
        @Requirement("VERS-008")
        void anAnswerOfSeveralTextsIsOneText() {
            assertThat(
                            result(
                                    V3,
                                    Methods.CREATE_MESSAGE,
                                    """
                                    {"role": "assistant", "model": "m", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
                                    """))
                    .isEqualTo(
                            json(
                                    """
                                    {"role": "assistant", "model": "m", "content": {"type": "text", "text": "a\\nb"}}
                                    """));
        }

        @Test
        @Requirement("VERS-008")
        void anAnswerOfOtherBlocksMustBeOne() {
            assertThatThrownBy(
                            () ->
                                    result(
                                            V3,
                                            Methods.CREATE_MESSAGE,
                                            """
                                            {"role": "assistant", "model": "m", "content": [{"type": "text", "text": "a"},
                                              {"type": "image", "data": "", "mimeType": "image/png"}]}
                                            """))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "the sampled message has 2 blocks, but revision 2025-06-18 has room for"
                                    + " one");
        }
    }

    @Nested
    class Elicitation {
        @Test
        @Requirement({"VERS-006", "ROOM-068"})
        void aFormIsReducedTo20250618() {
            assertThat(
                            params(
                                    V3,
                                    Methods.ELICIT,
                                    """
                                    {"mode": "form", "message": "m", "task": {}, "requestedSchema": {"$schema": "x", "type": "object",
                                      "properties": {
                                        "a": {"type": "string", "default": "d", "maxLength": 3},
                                        "b": {"type": "boolean", "default": true},
                                        "c": {"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]},
                                        "n": {"type": "integer", "default": 1}},
                                      "required": ["a"]}}
                                    """))
                    .isEqualTo(
                            json(
                                    """
                                    {"message": "m", "requestedSchema": {"type": "object",
                                      "properties": {
                                        "a": {"type": "string", "maxLength": 3},
                                        "b": {"type": "boolean", "default": true},
                                        "c": {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]},
                                        "n": {"type": "integer"}},
                                      "required": ["a"]}}
                                    """));
        }

        @Test
        @Requirement("VERS-006")
        void aChoiceOfSeveralValuesCannotBeAskedForIn20250618() {
            assertThatThrownBy(
                            () ->
                                    params(
                                            V3,
                                            Methods.ELICIT,
                                            """
                                            {"message": "m", "requestedSchema": {"type": "object", "properties":
                                              {"days": {"type": "array", "items": {"type": "string", "enum": ["Mon"]}}}}}
                                            """))
                    .isInstanceOf(CapabilityException.class)
                    .hasMessage(
                            "revision 2025-06-18 has no choice of several values, but the field"
                                    + " days is one");
        }

        @Test
        @Requirement("VERS-003")
        void aPageCannotBeShownIn20250618() {
            assertThatThrownBy(
                            () ->
                                    params(
                                            V3,
                                            Methods.ELICIT,
                                            """
                                            {"mode": "url", "message": "m", "url": "https://a.example", "elicitationId": "e"}
                                            """))
                    .isInstanceOf(CapabilityException.class)
                    .extracting(e -> ((CapabilityException) e).capability())
                    .isEqualTo("elicitation.url");
        }

        @Test
        @Requirement("VERS-007")
        void anAnswerHasNoListsIn20250618() {
            assertThatThrownBy(
                            () ->
                                    result(
                                            V3,
                                            Methods.ELICIT,
                                            "{\"action\": \"accept\", \"content\": {\"days\":"
                                                    + " [\"Mon\"]}}"))
                    .isInstanceOf(IllegalStateException.class);
        }

        @ParameterizedTest
        @EnumSource(names = {"V2024_11_05", "V2025_03_26"})
        @Requirement("VERS-012")
        void elicitationDoesNotExistBefore20250618(Revision revision) {
            WireFace face = HandshakeFace.of(revision);
            assertThat(face.method("elicitation/create", Side.CLIENT)).isEmpty();
            assertThatThrownBy(
                            () ->
                                    params(
                                            face,
                                            Methods.ELICIT,
                                            """
                                            {"message": "m", "requestedSchema": {"type": "object", "properties": {}}}
                                            """))
                    .isInstanceOf(CapabilityException.class)
                    .hasMessage("elicitation/create does not exist in revision " + revision);
        }
    }

    @Test
    @Requirement("VERS-003")
    void elicitationCompleteDoesNotExistBefore20251125() {
        assertThat(V3.has(Notifications.ELICITATION_COMPLETE)).isFalse();
        assertThat(V3.notification("notifications/elicitation/complete", Side.CLIENT)).isEmpty();
        assertThat(NEWEST.notification("notifications/elicitation/complete", Side.CLIENT))
                .contains(Notifications.ELICITATION_COMPLETE);
    }

    @Test
    @Requirement("VERS-003")
    void theErrorThatAsksForAPageIsAnInternalErrorBefore20251125() {
        JsonRpcError error =
                new JsonRpcError(
                        -32042,
                        "sign in first",
                        JsonObject.of("elicitations", java.util.List.of()));
        assertThat(V3.error(error))
                .isEqualTo(new JsonRpcError(-32603, "sign in first", error.data()));
        assertThat(NEWEST.error(error)).isSameAs(error);
        JsonRpcError other = new JsonRpcError(-32002, "gone");
        assertThat(V1.error(other)).isSameAs(other);
    }

    @Test
    @Requirement("VERS-003")
    void noTaskIsAskedForBefore20251125() {
        assertThat(
                        params(
                                V3,
                                Methods.CALL_TOOL,
                                "{\"name\": \"t\", \"arguments\": {}, \"task\": {\"ttl\": 1}}"))
                .isEqualTo(json("{\"name\": \"t\", \"arguments\": {}}"));
    }

    @Test
    @Requirement("VERS-005")
    void aTaskThatIsAskedForIsIgnoredBefore20251125() {
        RawJson call = RawJson.parse("{\"name\": \"t\", \"task\": {\"ttl\": 1}}");
        assertThat(V3.readParams(Methods.CALL_TOOL, call).params().task()).isNull();
        assertThat(NEWEST.readParams(Methods.CALL_TOOL, call).params().task()).isNotNull();
    }

    @Test
    @Requirement("VERS-010")
    void progressHasNoMessageIn20241105() {
        ProgressNotification progress =
                new ProgressNotification(dev.fairlead.protocol.base.ProgressToken.of(1), 0.5)
                        .withMessage("half");
        assertThat(
                        Objects.requireNonNull(
                                        V1.writeNotification(Notifications.PROGRESS, progress))
                                .value())
                .isEqualTo(json("{\"progressToken\": 1, \"progress\": 0.5}"));
        assertThat(
                        Objects.requireNonNull(
                                        V2.writeNotification(Notifications.PROGRESS, progress))
                                .value())
                .isEqualTo(
                        json("{\"progressToken\": 1, \"progress\": 0.5, \"message\": \"half\"}"));
    }

    @Test
    @Requirement("VERS-002")
    void whatIsReadMayBeNewerThanTheRevision() {
        var tools = V1.readResult(Methods.LIST_TOOLS, RawJson.parse(Definitions.TOOLS)).tools();
        assertThat(tools.get(0).title()).isEqualTo("T");
        assertThat(tools.get(0).outputSchema()).isNotNull();
    }
}
