package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Calls of one tool at the same time, or at the time of a change of the server. */
@Timeout(60)
final class SimultaneousCallsTest {
    private static final int MISMATCH = -32020;
    private static final JsonObject OSLO = JsonObject.of("place", "Oslo");
    private static final String DISCOVERED =
            """
            {"resultType": "complete", "supportedVersions": ["2026-07-28"],
             "capabilities": {"tools": {"listChanged": true}}}\
            """;
    private static final String DONE =
            """
            {"resultType": "complete", "content": [{"type": "text", "text": "done"}]}\
            """;
    private static final String TASK_REQUIRED =
            """
            {"tools": [{"name": "find", "inputSchema": {"type": "object"},
              "execution": {"taskSupport": "required"}}]}\
            """;
    private static final String WORKING =
            """
            {"task": {"taskId": "t-1", "status": "working", "createdAt": "2025-11-25T00:00:00Z",
             "lastUpdatedAt": "2025-11-25T00:00:00Z", "ttl": 60000}}\
            """;

    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();
    private final Semaphore handled = new Semaphore(0);

    private McpClient connect(Revision oldest, Revision newest) throws InterruptedException {
        return McpClient.named("desk", "1")
                .revisions(oldest, newest)
                .onNotification("test/mark", params -> handled.release())
                .connect(server, timers);
    }

    @CheckReturnValue
    private static Background<CallToolResult> call(McpClient client) {
        return Background.call(() -> client.callTool("find", OSLO));
    }

    private static String withHeader(String header) {
        return """
        {"resultType": "complete", "tools": [
         {"name": "find", "inputSchema": {"type": "object", "properties": {
          "place": {"type": "string", "x-mcp-header": "%s"}}}}]}\
        """
                .formatted(header);
    }

    /** Reports a change of the tools, and waits until the client has heeded it. */
    private void reportChange() throws InterruptedException {
        server.notifyClient("notifications/tools/list_changed", "{}");
        server.notifyClient("test/mark", "{}");
        assertThat(handled.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }

    private void assertDone(JsonObject call, Background<CallToolResult> calling) throws Exception {
        assertThat(call.get("method")).isEqualTo(JsonValue.of("tools/call"));
        server.answer(call, DONE);
        assertThat(calling.result().text()).isEqualTo("done");
    }

    @Test
    @Requirement("N26-HDR-015")
    void callsWhoseHeadersAreRefusedAtTheSameTimeAllSucceed() throws Exception {
        server.withHeaders().on("server/discover", DISCOVERED);
        try (McpClient client = connect(Revision.V2026_07_28, Revision.V2026_07_28)) {
            server.on("tools/list", withHeader("Old"));
            client.tools();
            server.keep("tools/list");
            Background<CallToolResult> one = call(client);
            JsonObject first = server.next("tools/call");
            Background<CallToolResult> other = call(client);
            JsonObject second = server.next("tools/call");

            server.refuse(first, MISMATCH, "Header mismatch");
            JsonObject list = server.next("tools/list");
            server.refuse(second, MISMATCH, "Header mismatch");
            JsonObject again = server.next("tools/list");

            server.answer(list, withHeader("Place"));
            JsonObject repeated = server.next("tools/call");
            assertThat(server.lastHeaders()).containsEntry("Mcp-Param-Place", "Oslo");
            assertDone(repeated, one);
            server.answer(again, withHeader("Place"));
            JsonObject repeatedToo = server.next("tools/call");
            assertThat(server.lastHeaders()).containsEntry("Mcp-Param-Place", "Oslo");
            assertDone(repeatedToo, other);
        }
    }

    @Test
    @Requirement("N26-HDR-015")
    void aCallWhoseHeadersAreRefusedUsesADefinitionThatWasReadSinceItWasSent() throws Exception {
        server.withHeaders().on("server/discover", DISCOVERED);
        try (McpClient client = connect(Revision.V2026_07_28, Revision.V2026_07_28)) {
            server.on("tools/list", withHeader("Old"));
            client.tools();
            Background<CallToolResult> one = call(client);
            JsonObject first = server.next("tools/call");
            Background<CallToolResult> other = call(client);
            JsonObject second = server.next("tools/call");
            server.on("tools/list", withHeader("Place"));
            server.refuse(first, MISMATCH, "Header mismatch");
            assertDone(server.next("tools/call"), one);

            server.keep("tools/list"); // the second needs no look of its own
            server.refuse(second, MISMATCH, "Header mismatch");

            JsonObject repeated = server.next("tools/call");
            assertThat(server.lastHeaders()).containsEntry("Mcp-Param-Place", "Oslo");
            assertDone(repeated, other);
        }
    }

    @Test
    void callsThatNeedATaskAtTheSameTimeAllBecomeOne() throws Exception {
        server.greet("2025-11-25", FakeServer.TASKS).keep("tools/list");
        try (McpClient client = connect(Revision.V2025_11_25, Revision.V2025_11_25)) {
            Background<CallToolResult> one = call(client);
            JsonObject first = server.next("tools/call");
            Background<CallToolResult> other = call(client);
            JsonObject second = server.next("tools/call");

            server.refuse(first, -32601, "find needs a task");
            JsonObject list = server.next("tools/list");
            server.refuse(second, -32601, "find needs a task");
            JsonObject again = server.next("tools/list");

            server.answer(list, TASK_REQUIRED);
            JsonObject asTask = server.next("tools/call");
            assertThat(asTask.object("params").has("task")).isTrue();
            server.answer(again, TASK_REQUIRED);
            JsonObject asTaskToo = server.next("tools/call");
            assertThat(asTaskToo.object("params").has("task")).isTrue();
            for (JsonObject request : List.of(asTask, asTaskToo)) {
                server.answer(request, WORKING);
                server.answer(server.next("tasks/result"), DONE);
            }
            assertThat(one.result().text()).isEqualTo("done");
            assertThat(other.result().text()).isEqualTo("done");
        }
    }

    @Test
    void aToolIsKnownAlthoughAChangeIsReportedWhileItIsRead() throws Exception {
        server.greet("2025-11-25", FakeServer.TASKS).keep("tools/list");
        try (McpClient client = connect(Revision.V2025_11_25, Revision.V2025_11_25)) {
            Background<TaskHandle<String>> starting =
                    Background.call(
                            () -> client.tool("find", JsonObject.class, String.class).start(OSLO));
            JsonObject list = server.next("tools/list");
            reportChange();
            server.answer(list, TASK_REQUIRED);
            server.answer(server.next("tools/list"), TASK_REQUIRED);
            server.answer(server.next("tools/call"), WORKING);
            assertThat(starting.result().id()).isPresent();
        }
    }
}
