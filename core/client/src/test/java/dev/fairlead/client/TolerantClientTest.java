package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;

/** A client at servers that break the rules by mistake, and at servers that do so on purpose. */
class TolerantClientTest {
    private static final String GOOD = "{\"name\": \"good\", \"inputSchema\": {}}";

    private final FakeServer server = new FakeServer();
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        client = McpClient.named("desk", "1").connect(server);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static Logged log() {
        return new Logged("dev.fairlead.protocol.engine.Omissions", Level.FINE);
    }

    private static List<String> warnings(Logged log) {
        return log.lines().stream().filter(line -> line.startsWith("WARNING")).toList();
    }

    @Test
    void aBadToolIsNamedOnceWithItsPlaceAndTheOthersAreUsable() throws Exception {
        server.on("tools/list", "{\"tools\": [" + GOOD + ", {\"name\": \"bad\"}]}");
        server.on("tools/call", "{\"structuredContent\": {\"a\": 1}}");
        try (Logged log = log()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.tools()).extracting(Tool::name).containsExactly("good");
            }
            assertThat(warnings(log))
                    .containsExactly(
                            "WARNING The server fake: the result of tools/list is used without its"
                                    + " unreadable parts: tools[1].inputSchema is missing");
        }
        assertThat(client.callTool("good", JsonObject.EMPTY).structuredContent())
                .isEqualTo(JsonObject.of("a", 1));
    }

    @Test
    void aNotificationThatCannotBeReadIsNamedOnceAndTheOthersArrive() throws Exception {
        client.close();
        BlockingQueue<String> logged = new LinkedBlockingQueue<>();
        client =
                McpClient.named("desk", "1")
                        .onLog(entry -> logged.add(entry.text()))
                        .connect(server);
        try (Logged log = log()) {
            for (int i = 0; i < 3; i++) {
                server.notifyClient(
                        "notifications/message", "{\"level\": \"info\", \"message\": \"?\"}");
                server.notifyClient("notifications/progress", "{\"progress\": 1}");
                server.notifyClient("notifications/cancelled", "{\"requestId\": {}}");
            }
            server.notifyClient(
                    "notifications/message", "{\"level\": \"info\", \"data\": \"good\"}");
            assertThat(logged.take()).isEqualTo("good");
            assertThat(warnings(log))
                    .filteredOn(line -> line.contains("The server fake"))
                    .containsExactly(
                            "WARNING The server fake: notifications/message is ignored: data is"
                                    + " missing");
        }
    }

    // ---- attacks

    @Test
    void aFloodOfBadToolsIsOneLineWithTheirNumber() throws Exception {
        server.on("tools/list", "{\"tools\": [" + "{\"name\": 1},".repeat(10_000) + GOOD + "]}");
        try (Logged log = log()) {
            assertThat(client.tools()).extracting(Tool::name).containsExactly("good");
            assertThat(warnings(log)).singleElement().asString().endsWith(" (and 19995 more)");
            assertThat(warnings(log).get(0)).hasSizeLessThan(1_500);
        }
    }

    @Test
    void faultsThatChangeWithEachAnswerFillNoLog() throws Exception {
        int[] round = new int[1];
        server.on("tools/list", params -> "{\"tools\": [" + "{},".repeat(round[0]++) + GOOD + "]}");
        try (Logged log = log()) {
            for (int i = 0; i < 200; i++) {
                client.tools();
            }
            assertThat(warnings(log)).hasSize(1);
        }
    }

    @Test
    void textThatSteersATerminalIsNoneInTheLog() throws Exception {
        server.on(
                "tools/list",
                "{\"tools\": ["
                        + GOOD
                        + ", {\"name\": \"a\", \"inputSchema\": {\"\\u001b[2J\": 1,"
                        + " \"\\u001b[2J\": 2}}]}");
        try (Logged log = log()) {
            client.tools();
            assertThat(warnings(log)).singleElement().asString().doesNotContain("\u001b");
        }
    }

    @Test
    void aToolWithTwoNamesIsNeitherOfThem() throws Exception {
        server.on(
                "tools/list",
                "{\"tools\": [{\"name\": \"a\", \"name\": \"b\", \"inputSchema\": {}}, "
                        + GOOD
                        + "]}");
        assertThat(client.tools()).extracting(Tool::name).containsExactly("good");
    }

    @Test
    void aFailureThatIsWrittenAsTextIsNoSuccess() throws Exception {
        server.on("tools/list", "{\"tools\": [" + GOOD + "]}");
        server.on(
                "tools/call",
                "{\"content\": [{\"type\": \"text\", \"text\": \"no\"}], \"isError\": \"true\"}");
        CallToolResult result = client.callTool("good", JsonObject.EMPTY);
        assertThat(result.isError()).isTrue();
        assertThatThrownBy(
                        () ->
                                client.tool("good", JsonObject.class, String.class)
                                        .call(JsonObject.EMPTY))
                .isInstanceOf(ToolFailedException.class);
    }

    @Test
    void aToolThatHidesItsEffectsInAWrongTypeCountsAsDestructive() throws Exception {
        server.on(
                "tools/list",
                "{\"tools\": [{\"name\": \"rm\", \"inputSchema\": {}, \"annotations\":"
                        + " {\"readOnlyHint\": 1, \"destructiveHint\": \"no\"}}]}");
        assertThat(client.tools().get(0).annotations().isDestructive()).isTrue();
    }

    @Test
    void aServerThatChangesItsListUnderOneCursorIsAskedTwice() throws Exception {
        int[] requests = new int[1];
        server.on(
                "tools/list",
                params ->
                        "{\"tools\": [{\"name\": \"t"
                                + requests[0]++
                                + "\", \"inputSchema\": {}}], \"nextCursor\": \"c\"}");
        assertThat(client.tools()).extracting(Tool::name).containsExactly("t0", "t1");
        assertThat(requests[0]).isEqualTo(2);
    }
}
