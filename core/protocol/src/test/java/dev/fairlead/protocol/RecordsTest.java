package dev.fairlead.protocol;

import static dev.fairlead.protocol.prompts.PromptMessage.assistant;
import static dev.fairlead.protocol.prompts.PromptMessage.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.base.Annotations;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.content.SamplingContent;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.content.ToolResultContent;
import dev.fairlead.protocol.content.ToolUseContent;
import dev.fairlead.protocol.content.UnknownContent;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.Answer.Accepted;
import dev.fairlead.protocol.elicitation.Answer.Refused;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.InvalidAnswerException;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ListCapability;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.LoggingMessageNotification;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.sampling.ModelPreferences;
import dev.fairlead.protocol.sampling.SamplingMessage;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolAnnotations;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/** Derived values of the records. */
class RecordsTest {
    private static final JsonObject OBJECT = JsonObject.of("type", "object");

    @Test
    @Requirement("BASE-030")
    void aThingIsShownByItsTitleOrElseItsName() {
        Tool tool = new Tool("t", OBJECT);
        assertThat(tool.displayName()).isEqualTo("t");
        Tool annotated = tool.withAnnotations(ToolAnnotations.NONE.withTitle("Annotated"));
        assertThat(annotated.displayName()).isEqualTo("Annotated");
        assertThat(annotated.withTitle("Titled").displayName()).isEqualTo("Titled");
        assertThat(new Prompt("p").displayName()).isEqualTo("p");
        assertThat(new Prompt("p").withTitle("P").displayName()).isEqualTo("P");
    }

    @Test
    @Requirement("SAMP-006")
    void theTextOfASamplingMessageIsThatOfItsTextBlocks() {
        assertThat(
                        SamplingMessage.user(
                                        new TextContent("one"),
                                        new UnknownContent(JsonObject.of("type", "x")),
                                        new TextContent("two"))
                                .text())
                .isEqualTo("one\ntwo");
        assertThat(SamplingMessage.user().text()).isEmpty();
    }

    @Test
    void hintsThatAreAbsentMeanTheWorst() {
        assertThat(ToolAnnotations.NONE.isReadOnly()).isFalse();
        assertThat(ToolAnnotations.NONE.isDestructive()).isTrue();
        assertThat(ToolAnnotations.NONE.isIdempotent()).isFalse();
        assertThat(ToolAnnotations.NONE.isOpenWorld()).isTrue();
        assertThat(ToolAnnotations.NONE.withReadOnlyHint(true).isDestructive()).isFalse();
    }

    @Test
    @Requirement("TOOL-009")
    void aToolIsNoTaskUnlessItSaysSo() {
        assertThat(new Tool("t", OBJECT).taskSupport()).isEqualTo(TaskSupport.FORBIDDEN);
        assertThat(
                        Tool.builder("t", "d", JsonSchema.of(OBJECT))
                                .taskSupport(TaskSupport.REQUIRED)
                                .build()
                                .taskSupport())
                .isEqualTo(TaskSupport.REQUIRED);
    }

    @Test
    @Requirement({"JSON-011", "BASE-029"})
    void aRenamedToolKeepsEverythingElse() {
        String json =
                """
                {"name":"%s","inputSchema":{"type":"object","$defs":{"a":{"x-y":1}}},"icons":[],"later":[1],"_meta":{"a.b/c":null}}
                """;
        JsonCodec<Tool> codec = JsonCodec.of(Tool.class);
        Tool renamed = codec.read(RawJson.parse(json.formatted("query"))).withName("files.query");
        assertThat(codec.toValue(renamed))
                .isEqualTo(JsonValue.parse(json.formatted("files.query")));
    }

    @Test
    void aBuilderRefusesReservedMetaKeys() {
        Tool.Builder builder = Tool.builder("t", "d", JsonSchema.of(OBJECT));
        assertThatThrownBy(() -> builder.meta(JsonObject.of("io.modelcontextprotocol/x", 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Requirement({"TOOL-014", "TOOL-017"})
    void aToolGivesTextOrStructureOrFails() {
        assertThat(CallToolResult.text("a").content()).containsExactly(Content.text("a"));
        CallToolResult structured = CallToolResult.structured(JsonObject.of("a", 1));
        assertThat(structured.text()).isEqualTo("{\"a\":1}");
        assertThat(structured.isError()).isFalse();
        CallToolResult failure = CallToolResult.failure("no such city");
        assertThat(failure.isError()).isTrue();
        assertThat(new ToolFailedException(failure)).hasMessage("no such city");
        assertThat(new ToolFailedException("no such city").result()).isEqualTo(failure);
    }

    @Test
    @Requirement("TOOL-017")
    void anAbsentIsErrorMeansFalseAndStaysAbsent() {
        JsonCodec<CallToolResult> codec = JsonCodec.of(CallToolResult.class);
        String absent = "{\"content\":[]}";
        String explicit = "{\"content\":[],\"isError\":false}";
        assertThat(codec.read(RawJson.parse(absent)).isError()).isFalse();
        assertThat(codec.write(codec.read(RawJson.parse(absent))).toJson()).isEqualTo(absent);
        assertThat(codec.read(RawJson.parse(explicit)).isError()).isFalse();
        assertThat(codec.write(codec.read(RawJson.parse(explicit))).toJson()).isEqualTo(explicit);
        assertThat(CallToolResult.text("done").isError()).isFalse();
        assertThat(codec.write(CallToolResult.failure("no")).toJson())
                .endsWith(",\"isError\":true}");
    }

    @Test
    @Requirement("SAMP-007")
    void anAbsentIsErrorOfAToolResultInASampleMeansFalseAndStaysAbsent() {
        JsonCodec<SamplingContent> codec = JsonCodec.of(SamplingContent.class);
        String absent = "{\"type\":\"tool_result\",\"toolUseId\":\"u1\",\"content\":[]}";
        ToolResultContent result = (ToolResultContent) codec.read(RawJson.parse(absent));
        assertThat(result.isError()).isFalse();
        assertThat(codec.write(result).toJson()).isEqualTo(absent);
        assertThat(result.withIsError(true).isError()).isTrue();
    }

    @Test
    @Requirement({"TOOL-027", "PROMPT-006", "RES-016"})
    void bytesTravelInBase64() {
        byte[] bytes = {0, 1, 2, (byte) 0xFF};
        assertThat(Content.image(bytes, "image/png").data()).isEqualTo("AAEC/w==");
        assertThat(Content.audio(bytes, "audio/wav").bytes()).isEqualTo(bytes);
        assertThat(ResourceContents.blob("a:b", null, bytes).bytes()).isEqualTo(bytes);
        assertThat(ResourceContents.text("a:b", null, "é").bytes()).hasSize(2);
    }

    @Test
    @Requirement("BASE-042")
    void contentOfAnUnknownTypeIsKept() {
        String video = "{\"type\":\"video\",\"data\":\"AA==\",\"x\":{\"y\":[null]}}";
        JsonCodec<Content> codec = JsonCodec.of(Content.class);
        Content content = codec.read(RawJson.parse(video));
        assertThat(content)
                .isInstanceOfSatisfying(
                        UnknownContent.class,
                        unknown -> assertThat(unknown.type()).isEqualTo("video"));
        assertThat(codec.toValue(content)).isEqualTo(JsonValue.parse(video));
    }

    @Test
    @Requirement("BASE-042")
    void aBlockSaysItsTypeWhereverItIsWritten() {
        assertThat(JsonCodec.of(TextContent.class).write(Content.text("a")).toJson())
                .isEqualTo("{\"type\":\"text\",\"text\":\"a\"}");
    }

    @Test
    @Requirement("RES-003")
    void contentsAreTextOrBytes() {
        JsonCodec<ResourceContents> codec = JsonCodec.of(ResourceContents.class);
        assertThatThrownBy(() -> codec.read(RawJson.parse("{\"uri\":\"a:b\"}")))
                .hasMessage("contents must have either text or blob");
        assertThatThrownBy(
                        () ->
                                codec.read(
                                        RawJson.parse(
                                                "{\"uri\":\"a:b\",\"text\":\"\",\"blob\":\"\"}")))
                .hasMessage("contents must have either text or blob");
    }

    @Test
    void theOnlyContentsAreReadAtOnce() {
        assertThat(ReadResourceResult.of(ResourceContents.text("a:b", "text/plain", "x")).text())
                .isEqualTo("x");
        ReadResourceResult bytes =
                ReadResourceResult.of(ResourceContents.blob("a:b", null, new byte[] {7}));
        assertThat(bytes.bytes()).containsExactly(7);
        assertThatThrownBy(bytes::text)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the contents of a:b are bytes");
        assertThatThrownBy(() -> ReadResourceResult.of().text())
                .hasMessage("one part was expected but there are 0");
    }

    @Test
    void aPromptIsAListOfMessages() {
        assertThat(
                        GetPromptResult.of(
                                        user("a"),
                                        user(Content.image("AA==", "image/png")),
                                        assistant("b"))
                                .messages())
                .extracting(PromptMessage::role)
                .containsExactly(Role.USER, Role.USER, Role.ASSISTANT);
    }

    @Test
    @Requirement({"COMP-004", "ROOM-078"})
    void completionHoldsAHundredValues() {
        CompleteResult.Completion many =
                CompleteResult.of(Collections.nCopies(101, "v")).completion();
        assertThat(many.values()).hasSize(100);
        assertThat(many.total()).isEqualTo(101);
        assertThat(many.hasMore()).isTrue();
        assertThat(CompleteResult.of(Collections.nCopies(100, "v")).completion().hasMore())
                .isFalse();
    }

    @Test
    @Requirement("LOG-002")
    void levelsRise() {
        assertThat(LoggingLevel.values()).isSorted();
        assertThat(LoggingLevel.CRITICAL.isAtLeast(LoggingLevel.ERROR)).isTrue();
        assertThat(LoggingLevel.NOTICE.isAtLeast(LoggingLevel.WARNING)).isFalse();
    }

    @Test
    @Requirement("ROOT-003")
    void aRootIsAPathOfThisMachine() {
        Path path = Path.of("some", "..", "a b").toAbsolutePath();
        Root root = Root.of(path, "AB");
        assertThat(root.uri()).startsWith("file:///").endsWith("/a%20b");
        assertThat(root.path()).isEqualTo(path.normalize());
        assertThatThrownBy(() -> new Root("https://a.example"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("uri must begin with file:// but was https://a.example");
    }

    @Test
    @Requirement("SAMP-017")
    void prioritiesAreFromNoughtToOne() {
        assertThatThrownBy(() -> ModelPreferences.NONE.withCostPriority(1.1))
                .hasMessage("costPriority must be from 0 to 1 but was 1.1");
        assertThatThrownBy(() -> ModelPreferences.NONE.withSpeedPriority(-0.1))
                .hasMessage("speedPriority must be from 0 to 1 but was -0.1");
        assertThatThrownBy(() -> ModelPreferences.NONE.withIntelligencePriority(2.0))
                .hasMessage("intelligencePriority must be from 0 to 1 but was 2.0");
        assertThatThrownBy(() -> Annotations.NONE.withPriority(Double.NaN))
                .hasMessage("priority must be from 0 to 1 but was NaN");
    }

    @Test
    void anAnswerOfAModelHasItsTextAndItsToolUses() {
        var use = new ToolUseContent("u", "t", JsonObject.EMPTY);
        var result =
                new CreateMessageResult(
                        Role.ASSISTANT,
                        List.of(new TextContent("a"), use, new TextContent("b")),
                        "m");
        assertThat(result.text()).isEqualTo("a\nb");
        assertThat(result.toolUses()).containsExactly(use);
    }

    @Test
    void rootsWithoutListChangedDoNotChange() {
        assertThat(ClientCapabilities.NONE.rootsListChanged()).isFalse();
        assertThat(changing(null).rootsListChanged()).isFalse();
        assertThat(changing(false).rootsListChanged()).isFalse();
        assertThat(changing(true).rootsListChanged()).isTrue();
    }

    private static ClientCapabilities changing(@Nullable Boolean listChanged) {
        return ClientCapabilities.NONE.withRoots(new ListCapability(listChanged, JsonObject.EMPTY));
    }

    private static ClientCapabilities asking(@Nullable JsonObject url) {
        return new ClientCapabilities(
                null,
                null,
                new ClientCapabilities.Elicitation(null, url),
                null,
                null,
                null,
                JsonObject.EMPTY);
    }

    @Test
    @Requirement({"ELIC-001", "ELIC-002", "ROOM-069"})
    void elicitationWithoutMembersMeansForms() {
        var empty = asking(null);
        assertThat(empty.elicitationForm()).isTrue();
        assertThat(empty.elicitationUrl()).isFalse();
        var url = asking(JsonObject.EMPTY);
        assertThat(url.elicitationForm()).isFalse();
        assertThat(url.elicitationUrl()).isTrue();
        assertThat(ClientCapabilities.NONE.elicitation()).isFalse();
    }

    @Test
    @Requirement("LIFE-019")
    void unknownCapabilitiesAreKept() {
        String json = "{\"tools\":{\"later\":true},\"later\":{\"x\":1}}";
        JsonCodec<ServerCapabilities> codec = JsonCodec.of(ServerCapabilities.class);
        ServerCapabilities capabilities = codec.read(RawJson.parse(json));
        assertThat(capabilities.tools()).isTrue();
        assertThat(capabilities.toolsListChanged()).isFalse();
        assertThat(codec.write(capabilities).toJson()).isEqualTo(json);
    }

    @Test
    void tasksAreTakenByMethod() {
        TasksCapability tasks =
                new TasksCapability().taking("sampling/createMessage").taking("elicitation/create");
        assertThat(tasks.takes("sampling/createMessage")).isTrue();
        assertThat(tasks.takes("tools/call")).isFalse();
        assertThat(tasks.takes("ping")).isFalse();
    }

    @Test
    void anAnswerIsThereOrNot() {
        assertThat(Answer.accept("yes").orElseThrow()).isEqualTo("yes");
        assertThat(Answer.accept("yes")).isEqualTo(new Accepted<>("yes"));
        Answer<String> declined = Answer.decline();
        assertThat(declined).isInstanceOf(Refused.class);
        assertThatThrownBy(declined::orElseThrow).isInstanceOf(ToolFailedException.class);
        Answer<String> cancelled = Answer.cancel();
        assertThatThrownBy(cancelled::orElseThrow).isInstanceOf(ToolFailedException.class);
    }

    @Test
    @Requirement({"ELIC-030", "ELIC-031", "ERR-024"})
    void pagesThatMustBeVisitedFirstTravelAsAnError() {
        var page = new ElicitUrlRequest("Sign in", "https://a.example", "e-1");
        JsonRpcError error = new UrlElicitationRequiredException(List.of(page)).error();
        assertThat(error.code()).isEqualTo(-32042);
        assertThat(error.data())
                .isEqualTo(
                        JsonValue.parse(
                                """
                                {"elicitations":[{"mode":"url","message":"Sign in","url":"https://a.example","elicitationId":"e-1"}]}
                                """));
        assertThat(UrlElicitationRequiredException.of(error).orElseThrow().elicitations())
                .containsExactly(page);
        assertThat(
                        UrlElicitationRequiredException.of(
                                new JsonRpcError(-32042, "?", JsonObject.EMPTY)))
                .isEmpty();
        assertThat(UrlElicitationRequiredException.of(new JsonRpcError(-32000, "?", error.data())))
                .isEmpty();
        assertThatThrownBy(() -> new UrlElicitationRequiredException(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Requirement("ROOM-072")
    void anAnswerThatDoesNotFitKeepsItsValues() {
        var content = JsonObject.of("age", "old");
        var exception =
                new InvalidAnswerException(
                        content,
                        List.of(new JsonViolation("age", "must be an integer but was a string")));
        assertThat(exception)
                .hasMessage(
                        "The answer does not fit the form: age must be an integer but was a"
                                + " string");
        assertThat(exception.content()).isEqualTo(content);
    }

    @Test
    void listsCannotBeChanged() {
        List<Content> blocks = new java.util.ArrayList<>(List.of(Content.text("a")));
        CallToolResult result = new CallToolResult(blocks);
        blocks.clear();
        assertThat(result.content()).hasSize(1);
    }

    @Test
    void aLogMessageIsATextForPeople() {
        assertThat(new LoggingMessageNotification(LoggingLevel.INFO, JsonValue.of("a")).text())
                .isEqualTo("a");
        JsonObject data = JsonObject.of("step", 1);
        assertThat(new LoggingMessageNotification(LoggingLevel.INFO, data).text())
                .isEqualTo("{\"step\":1}");
    }
}
