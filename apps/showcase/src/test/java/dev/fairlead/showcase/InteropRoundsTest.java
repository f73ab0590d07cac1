package dev.fairlead.showcase;

import static dev.fairlead.protocol.Revision.V2025_11_25;
import static dev.fairlead.protocol.Revision.V2026_07_28;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.RequestState;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.shared.RawClient;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.test.support.StateKeyFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The tools by which outside peers look at rounds. */
class InteropRoundsTest extends ClosingTest {
    private static final JsonObject ANSWERS = JsonObject.of("a", "one", "b", "two", "ok", true);

    private final McpServer server = closedLater(Showcase.server());
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

    /** A client that would answer more rounds than a server asks in. */
    private McpClient client(Revision revision) throws InterruptedException {
        return closedLater(
                McpClient.named("test", "1")
                        .revisions(revision, revision)
                        .maxRounds(100)
                        .onElicitForm(this::answer)
                        .connect(server.inProcess()));
    }

    private Answer<?> answer(ElicitForm form) {
        asked.add(form.message());
        JsonObject content = JsonObject.EMPTY;
        for (String field : form.schema().object("properties").names()) {
            content = content.with(field, ANSWERS.get(field));
        }
        return Answer.accept(content);
    }

    private static JsonValue structured(McpClient client, String tool, JsonObject arguments)
            throws InterruptedException {
        return client.callTool(tool, arguments).structuredContent();
    }

    private static void isAnInternalError(McpClient client, String tool, JsonObject arguments) {
        assertThatThrownBy(() -> client.callTool(tool, arguments))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL_ERROR));
    }

    @ParameterizedTest
    @CsvSource({
        "interop_rounds, V2026_07_28, 3",
        "interop_rounds, V2025_11_25, 1",
        "interop_held, V2026_07_28, 1",
        "interop_held, V2025_11_25, 1"
    })
    void bodiesAndEffectsOfEachCallAreCounted(String tool, Revision revision, int bodies)
            throws Exception {
        McpClient client = client(revision);
        JsonObject one = (JsonObject) structured(client, tool, JsonObject.EMPTY);
        JsonObject other = (JsonObject) structured(client, tool, JsonObject.EMPTY);

        assertThat(List.of(one, other))
                .allSatisfy(
                        seen -> {
                            assertThat(seen.string("token")).isNotBlank();
                            assertThat(seen.string("key")).isNotBlank();
                            assertThat(seen.without("token").without("key"))
                                    .isEqualTo(
                                            JsonObject.of(
                                                    "bodies", bodies, "effects", 1, "a", "one", "b",
                                                    "two"));
                        });
        assertThat(other.string("token")).isNotEqualTo(one.string("token"));
        assertThat(other.string("key")).isNotEqualTo(one.string("key"));
        assertThat(asked).containsExactly("First?", "Second?", "First?", "Second?");
    }

    /** Fails unless the only question has this key, and the only field of its form this type. */
    private static InputRequiredResult question(
            Outcome<CallToolResult> outcome, String key, String field, String type) {
        InputRequiredResult input = ((Outcome.InputRequired<CallToolResult>) outcome).input();
        assertThat(input.inputRequests()).containsOnlyKeys(key);
        assertThat(input.inputRequests().get(key).method()).isEqualTo("elicitation/create");
        JsonObject schema = input.inputRequests().get(key).params().object("requestedSchema");
        assertThat(schema.string("type")).isEqualTo("object");
        assertThat(schema.object("properties"))
                .isEqualTo(JsonObject.of(field, JsonObject.of("type", type)));
        return input;
    }

    @ParameterizedTest
    @ValueSource(strings = {"interop_rounds", "interop_held"})
    void theQuestionsAreFirstAndSecond(String tool) throws Exception {
        McpClient client = client(V2026_07_28);
        CallToolRequest request = new CallToolRequest(tool, JsonObject.EMPTY);

        InputRequiredResult first = question(client.firstRound(request), "first", "a", "string");
        JsonObject one = RawClient.accepted("a", "one");
        question(
                client.nextRound(request, Map.of("first", one), first.requestState()),
                "second",
                "b",
                "string");
    }

    @Test
    @Requirement({"N26-MRTR-012", "N26-LIFE-003"})
    void theNextRoundMayReachAnotherServerThatHasTheSameKeys(@TempDir Path folder)
            throws Exception {
        RequestState keys = RequestState.keys(StateKeyFile.in(folder).path());
        List<McpClient> clients = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            McpServer one =
                    closedLater(
                            Showcase.server(
                                    Tasks.inMemory(), builder -> builder.requestState(keys)));
            clients.add(
                    closedLater(
                            McpClient.named("test", "1")
                                    .revisions(V2026_07_28, V2026_07_28)
                                    .onElicitForm(this::answer)
                                    .connect(one.inProcess())));
        }
        CallToolRequest request = new CallToolRequest("interop_rounds", JsonObject.EMPTY);

        InputRequiredResult first =
                question(clients.get(0).firstRound(request), "first", "a", "string");
        JsonObject one = RawClient.accepted("a", "one");
        question(
                clients.get(1).nextRound(request, Map.of("first", one), first.requestState()),
                "second",
                "b",
                "string");
    }

    @Test
    void aQuestionThatIsNewInEachRunEndsAfterSixteenRounds() throws Exception {
        isAnInternalError(client(V2026_07_28), "interop_ask_now", JsonObject.EMPTY);

        assertThat(asked).hasSize(16).doesNotHaveDuplicates();
    }

    @Test
    void aHandlerThatSwallowsItsQuestionIsAnError() throws Exception {
        isAnInternalError(client(V2026_07_28), "interop_swallow", JsonObject.EMPTY);

        assertThat(asked).isEmpty();
    }

    @Test
    void aRecordedTextOfAnyLengthThatFitsIntoTheStateIsKept() throws Exception {
        McpClient client = client(V2026_07_28);
        question(
                client.firstRound(
                        new CallToolRequest("interop_big_once", JsonObject.of("bytes", 1))),
                "confirm",
                "ok",
                "boolean");

        for (int bytes : new int[] {0, 1, 20_000}) {
            assertThat(client.callTool("interop_big_once", JsonObject.of("bytes", bytes)).text())
                    .isEqualTo(bytes + " true");
        }
    }

    @Test
    void aRecordedTextThatIsTooLongForTheStateIsAnError() throws Exception {
        McpClient client = client(V2026_07_28);
        JsonObject arguments = JsonObject.of("bytes", 1_000_000);

        isAnInternalError(client, "interop_big_once", arguments);
        assertThatThrownBy(() -> client.callTool("interop_big_once", arguments))
                .hasMessageContaining("32768");
        assertThat(asked).isEmpty();
    }

    @Test
    void theOutputOfAToolMayBeAList() throws Exception {
        JsonObject three = JsonObject.of("n", 3);
        assertThat(structured(client(V2026_07_28), "interop_list", three))
                .isEqualTo(JsonValue.parse("[1, 2, 3]"));
        assertThat(structured(client(V2026_07_28), "interop_list", JsonObject.of("n", 0)))
                .isEqualTo(JsonValue.parse("[]"));
        assertThat(structured(client(V2025_11_25), "interop_list", three))
                .isEqualTo(JsonValue.parse("{\"result\": [1, 2, 3]}"));
        assertThat(client(V2026_07_28).tools())
                .filteredOn(tool -> tool.name().equals("interop_list"))
                .singleElement()
                .satisfies(
                        tool ->
                                assertThat(tool.outputSchema())
                                        .isEqualTo(
                                                JsonValue.parse(
                                                        """
                                                        {"type": "array", "items": {"type": "integer"}}
                                                        """)));
    }
}
