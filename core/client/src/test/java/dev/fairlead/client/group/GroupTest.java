package dev.fairlead.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.FakeServer;
import dev.fairlead.client.McpRequests;
import dev.fairlead.client.Subscription;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;

/** Lists of a group, and the way of its requests. */
@Timeout(60)
final class GroupTest {
    static List<String> names(McpClients servers) {
        return servers.tools().stream().map(GroupItem::definition).map(Tool::name).toList();
    }

    static String call(McpClients servers, String tool) throws InterruptedException {
        return servers.callTool(tool, JsonObject.EMPTY).text();
    }

    /** Waits for its servers however slow the machine is. */
    static McpClients.Builder desk() {
        return McpClients.named("desk", "1.4.0").connectWait(Duration.ofMinutes(1));
    }

    @Test
    @Requirement("N26-TOOL-012")
    void toolsOfAllServersAreListedAndFindTheirServer() throws Exception {
        try (McpClients servers =
                desk().server("files", Fakes.tools("files", "read", "search"))
                        .server("web", Fakes.tools("web", "fetch", "search"))
                        .connect()) {
            assertThat(names(servers))
                    .containsExactly("read", "files.search", "fetch", "web.search");
            assertThat(call(servers, "fetch")).isEqualTo("web/fetch");
            assertThat(call(servers, "files.search")).isEqualTo("files/search");
            assertThat(servers.tools().get(3))
                    .extracting(GroupItem::server, GroupItem::name)
                    .containsExactly("web", "search");
            assertThatThrownBy(() -> call(servers, "search"))
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessage("Unknown tool: search");
            assertThat(servers.serverCapabilities().toolsListChanged()).isTrue();
            assertThat(servers.serverCapabilities().resources()).isFalse();
        }
    }

    @Test
    void aBadItemOrCursorOfOneServerCostsNothingElse() throws Exception {
        FakeServer sloppy = Fakes.tools("sloppy");
        sloppy.on(
                "tools/list",
                "{\"tools\": [{\"name\": \"bad\"}, {\"name\": \"good\", \"inputSchema\": {}}],"
                        + " \"nextCursor\": \"\"}");
        try (Logged log = new Logged("dev.fairlead.protocol.engine.Omissions", Level.WARNING);
                McpClients servers =
                        desk().server("web", Fakes.tools("web", "fetch"))
                                .server("sloppy", sloppy)
                                .connect()) {
            assertThat(names(servers)).containsExactly("fetch", "good");
            assertThat(call(servers, "good")).isEqualTo("sloppy/good");
            assertThat(log.lines())
                    .contains(
                            "WARNING The server sloppy: the result of tools/list is used without"
                                    + " its unreadable parts: tools[0].inputSchema is missing");
        }
    }

    @Test
    @Requirement("ROOM-025")
    void tasksOfSeveralServersWithTheSameIdAreDistinguished() throws Exception {
        try (McpClients servers =
                desk().server("files", Fakes.asTasks(Fakes.tools("files", "search"), "files"))
                        .server("web", Fakes.asTasks(Fakes.tools("web", "search"), "web"))
                        .connect()) {
            TaskHandle<CallToolResult> files =
                    servers.startTool(new CallToolRequest("files.search", JsonObject.EMPTY));
            TaskHandle<CallToolResult> web =
                    servers.startTool(new CallToolRequest("web.search", JsonObject.EMPTY));
            assertThat(files.id()).isEqualTo(web.id());
            assertThat(files.await().text()).isEqualTo("files");
            assertThat(web.await().text()).isEqualTo("web");
            assertThat(servers.serverOfTool("files.search")).isEqualTo("files");
            assertThat(servers.serverOfTool("web.search")).isEqualTo("web");
            assertThatThrownBy(
                            () -> servers.startTool(new CallToolRequest("none", JsonObject.EMPTY)))
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessage("Unknown tool: none");
        }
    }

    @Test
    void anOldNameStillLeadsToItsToolWhenACollisionAppears() throws Exception {
        FakeServer files = Fakes.tools("files", "read");
        BlockingQueue<List<GroupItem<Tool>>> changes = new LinkedBlockingQueue<>();
        try (McpClients servers =
                desk().server("files", files).onToolsChanged(changes::add).connect()) {
            assertThat(names(servers)).containsExactly("read");
            servers.add("web", Fakes.tools("web", "read"));
            awaitSize(changes, 2);

            assertThat(names(servers)).containsExactly("files.read", "web.read");
            assertThat(call(servers, "read")).isEqualTo("files/read");
            assertThat(servers.serverOfTool("read")).as("by its old name").isEqualTo("files");

            servers.remove("web");
            assertThat(names(servers)).containsExactly("files.read");
            assertThatThrownBy(() -> call(servers, "web.read"))
                    .hasMessage("Unknown tool: web.read");
        }
    }

    /** Takes lists until one of this size comes. */
    private static void awaitSize(BlockingQueue<? extends List<?>> lists, int size)
            throws InterruptedException {
        List<?> list = lists.poll(30, TimeUnit.SECONDS);
        while (list != null && list.size() != size) {
            list = lists.poll(30, TimeUnit.SECONDS);
        }
        assertThat(list).isNotNull();
    }

    @Test
    void aChangedListIsReportedAndKept() throws Exception {
        FakeServer files = Fakes.tools("files", "read");
        BlockingQueue<List<GroupItem<Tool>>> changes = new LinkedBlockingQueue<>();
        try (McpClients servers =
                desk().server("files", files).onToolsChanged(changes::add).connect()) {
            Fakes.listing(files, "read", "write");
            files.notifyClient("notifications/tools/list_changed", "{}");

            assertThat(changes.poll(30, TimeUnit.SECONDS)).hasSize(2);
            assertThat(names(servers)).containsExactly("read", "write");
        }
    }

    @Test
    void aRefreshReadsListsThatTheServersAllowToKeep() throws Exception {
        String list =
                """
                {"resultType": "complete", "ttlMs": 3600000, "cacheScope": "public", "tools":
                 [{"name": "%s", "inputSchema": {"type": "object"}}]}\
                """;
        FakeServer files =
                new FakeServer()
                        .on(
                                "server/discover",
                                """
                                {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                                 "capabilities": {"tools": {}}}\
                                """)
                        .on("tools/list", list.formatted("read"));
        try (McpClients servers = desk().server("files", files).connect()) {
            assertThat(names(servers)).containsExactly("read");
            files.on("tools/list", list.formatted("write"));
            servers.refresh();
            assertThat(names(servers)).containsExactly("write");
        }
    }

    static String text(String text) {
        return "{\"contents\": [{\"uri\": \"a://b\", \"text\": \"%s\"}]}".formatted(text);
    }

    static FakeServer resources(String name, String resource, String template) {
        return new FakeServer()
                .greet(
                        "2025-11-25",
                        "{\"resources\": {\"listChanged\": true}, \"completions\": {}}")
                .on("resources/list", "{\"resources\": [" + resource + "]}")
                .on(
                        "resources/templates/list",
                        "{\"resourceTemplates\": [{\"uriTemplate\": \"%s\", \"name\": \"t\"}]}"
                                .formatted(template))
                .on("resources/read", text(name))
                .on("completion/complete", "{\"completion\": {\"values\": [\"" + name + "\"]}}");
    }

    @Test
    void promptsAreNamedAndCompletedAsToolsAre() throws Exception {
        try (McpClients servers =
                desk().server("a", prompts("a")).server("b", prompts("b")).connect()) {
            assertThat(servers.serverOfPrompt("b.review")).isEqualTo("b");
            assertThatThrownBy(() -> servers.serverOfPrompt("none"))
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessage("Unknown prompt: none");
            assertThat(servers.prompts())
                    .extracting(prompt -> prompt.definition().name())
                    .containsExactly("a.review", "b.review");
            assertThat(servers.getPrompt("b.review", Map.of()).description()).isEqualTo("b/review");
            assertThat(
                            servers.complete(new PromptReference("b.review"), "who", "")
                                    .completion()
                                    .values())
                    .containsExactly("b/review");
        }
    }

    static FakeServer prompts(String name) {
        return new FakeServer()
                .greet("2025-11-25", "{\"prompts\": {}, \"completions\": {}}")
                .on("prompts/list", "{\"prompts\": [{\"name\": \"review\"}]}")
                .on(
                        "prompts/get",
                        params ->
                                "{\"description\": \"%s/%s\", \"messages\": []}"
                                        .formatted(name, params.string("name")))
                .on(
                        "completion/complete",
                        params ->
                                "{\"completion\": {\"values\": [\"%s/%s\"]}}"
                                        .formatted(name, params.object("ref").string("name")));
    }

    @Test
    void aHandlerKnowsWhichServerAsks() throws Exception {
        FakeServer files = Fakes.tools("files", "read");
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        try (McpClients servers =
                desk().server("files", files)
                        .clientDefaults(
                                (server, client) -> {
                                    client.onElicitForm(
                                            form -> {
                                                asked.add(server + ": " + form.message());
                                                return Answer.decline();
                                            });
                                    client.onLog(
                                            entry -> asked.add(server + " logs " + entry.data()));
                                })
                        .roots(new Root("file:///home"))
                        .connect()) {
            files.ask(
                    1,
                    "elicitation/create",
                    """
                    {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}\
                    """);
            assertThat(files.response(1).object("result").string("action")).isEqualTo("decline");
            assertThat(asked.poll(30, TimeUnit.SECONDS)).isEqualTo("files: Who?");

            files.notifyClient("notifications/message", "{\"level\": \"info\", \"data\": \"x\"}");
            assertThat(asked.poll(30, TimeUnit.SECONDS)).isEqualTo("files logs \"x\"");

            files.ask(2, "roots/list", "{}");
            assertThat(files.response(2).object("result").toJson()).contains("file:///home");
            servers.replaceRoots(new Root("file:///other"));
            files.next("notifications/roots/list_changed");
        }
    }

    @CheckReturnValue
    static <T> FutureTask<T> begun(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }

    @Test
    void theTimeLimitOfACopyHoldsForWatchesAndLogLevels() throws Exception {
        FakeServer files =
                resources("files", "{\"uri\": \"a://1\", \"name\": \"1\"}", "a://{x}")
                        .greet(
                                "2025-11-25",
                                "{\"resources\": {\"subscribe\": true}, \"logging\": {}}")
                        .silently("notifications/cancelled");
        ManualTimers timers = new ManualTimers();
        try (McpClients servers = desk().server("files", files).connect(timers)) {
            McpRequests hasty = servers.withTimeout(Duration.ofMillis(100));
            FutureTask<Subscription> watching = begun(() -> hasty.watch("a://1", uri -> {}));
            files.next("resources/subscribe");
            timers.advance(Duration.ofMillis(100));
            assertThatThrownBy(() -> watching.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(RequestTimeoutException.class);
            FutureTask<String> levelling =
                    begun(
                            () -> {
                                hasty.setLoggingLevel(LoggingLevel.ERROR);
                                return "returned";
                            });
            files.next("logging/setLevel");
            timers.advance(Duration.ofMillis(100));
            assertThat(levelling.get(30, TimeUnit.SECONDS)).isEqualTo("returned");
        }
    }

    @Test
    void theLogLevelCanBeGivenBeforeConnecting() throws Exception {
        BlockingQueue<String> levels = new LinkedBlockingQueue<>();
        FakeServer files = Fakes.tools("files", "read").greet("2025-11-25", "{\"logging\": {}}");
        files.on(
                "logging/setLevel",
                params -> {
                    levels.add(params.string("level"));
                    return "{}";
                });
        try (McpClients servers =
                desk().server("files", files).loggingLevel(LoggingLevel.ERROR).connect()) {
            assertThat(levels.poll(30, TimeUnit.SECONDS)).isEqualTo("error");
        }
    }
}
