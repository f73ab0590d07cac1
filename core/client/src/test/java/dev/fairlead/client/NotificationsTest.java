package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.calls.ListReader;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Notifications of the server, and the listeners that receive them. */
final class NotificationsTest {
    private final FakeServer server = new FakeServer();
    private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

    private Object next() throws InterruptedException {
        Object next = heard.poll(30, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was heard");
        }
        return next;
    }

    @Test
    @Requirement({"LOG-002", "LOG-004", "LOG-010"})
    void logMessagesAreDeliveredUnchangedInOrder() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onLog(
                                entry ->
                                        heard.add(
                                                entry.level()
                                                        + " "
                                                        + entry.logger()
                                                        + " "
                                                        + entry.data()))
                        .connect(server)) {
            server.notifyClient(
                    "notifications/message",
                    "{\"level\": \"emergency\", \"data\": {\"a\": [1]}, \"logger\": \"db\"}");
            server.notifyClient("notifications/message", "{\"level\": \"loud\", \"data\": 1}");
            server.notifyClient("notifications/message", "{\"level\": \"debug\"}");
            server.notifyClient("notifications/message", "{\"level\": \"debug\", \"data\": null}");
            assertThat(next()).isEqualTo(LoggingLevel.EMERGENCY + " db {\"a\":[1]}");
            assertThat(next()).isEqualTo(LoggingLevel.WARNING + " null 1"); // of an unknown level
            assertThat(next()).isEqualTo(LoggingLevel.DEBUG + " null null");
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    @Requirement("LIFE-006")
    void logMessagesMayComeBeforeTheHandshakeIsOver() throws Exception {
        server.keep("initialize");
        Background<McpClient> connecting =
                Background.call(
                        () ->
                                McpClient.named("desk", "1")
                                        .onLog(entry -> heard.add(entry.data()))
                                        .connect(server));
        JsonObject initialize = server.next("initialize");
        server.notifyClient(
                "notifications/message", "{\"level\": \"info\", \"data\": \"starting\"}");
        assertThat(next()).hasToString("\"starting\"");
        server.answer(
                initialize,
                "{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {}, \"serverInfo\":"
                        + " {\"name\": \"s\", \"version\": \"1\"}}");
        connecting.result().close();
    }

    @Test
    @Requirement({"LIFE-005", "PING-006", "ROOM-040"})
    void beforeTheHandshakeIsOverOnlyPingsAreAnswered() throws Exception {
        server.keep("initialize");
        Background<McpClient> connecting =
                Background.call(() -> McpClient.named("desk", "1").roots().connect(server));
        JsonObject initialize = server.next("initialize");
        server.ask(1, "ping", "{}");
        assertThat(server.response(1).get("result")).isEqualTo(JsonObject.EMPTY);
        server.ask(2, "roots/list", "{}");
        assertThat(server.response(2).object("error").integer("code")).isEqualTo(-32600);
        server.answer(
                initialize,
                "{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {}, \"serverInfo\":"
                        + " {\"name\": \"s\", \"version\": \"1\"}}");
        connecting.result().close();
    }

    @Test
    @Requirement("LOG-008")
    void aFloodOfLogMessagesIsBoundedAndHoldsUpNothingElse() throws Exception {
        CountDownLatch proceed = new CountDownLatch(1);
        List<String> log = new CopyOnWriteArrayList<>();
        CountDownLatch last = new CountDownLatch(1);
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onLog(
                                entry -> {
                                    log.add(entry.data().toString());
                                    proceed.await();
                                    if (entry.data().toString().equals("4999")) {
                                        last.countDown();
                                    }
                                })
                        .onResourceUpdated(heard::add)
                        .connect(server)) {
            for (int i = 0; i < 5_000; i++) {
                server.notifyClient(
                        "notifications/message",
                        "{\"level\": \"info\", \"data\": %s}".formatted(i));
            }
            server.notifyClient("notifications/resources/updated", "{\"uri\": \"a:b\"}");
            assertThat(next()).isEqualTo("a:b");
            server.on("ping", "{}");
            client.ping();
            proceed.countDown();
            assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(log).hasSizeLessThanOrEqualTo(1_001).endsWith("4999");
        }
    }

    /** A listener that is stopped at its first item. */
    private final class Stopped {
        private final CountDownLatch proceed = new CountDownLatch(1);
        private final List<String> items = new CopyOnWriteArrayList<>();
        private final CountDownLatch first = new CountDownLatch(1);
        private final CountDownLatch last = new CountDownLatch(1);

        void receive(String item) throws InterruptedException {
            items.add(item);
            first.countDown();
            proceed.await();
            if (item.contains("last")) {
                last.countDown();
            }
        }

        /**
         * Sends six items of this kind, five with 900 characters; returns the received items
         * without the first.
         */
        List<String> flood(String method, String params, String marker, String markerParams)
                throws InterruptedException {
            server.notifyClient(method, params.formatted("first"));
            assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 5; i++) {
                server.notifyClient(method, params.formatted(i + "x".repeat(900)));
            }
            server.notifyClient(method, params.formatted("last"));
            server.notifyClient(marker, markerParams);
            assertThat(next()).isEqualTo("marker");
            proceed.countDown();
            assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
            return items.subList(1, items.size());
        }
    }

    @Test
    void logMessagesThatWaitAreBoundedByBytes() throws Exception {
        Stopped stopped = new Stopped();
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onLog(entry -> stopped.receive(entry.data().toString()))
                        .onResourceUpdated(uri -> heard.add("marker"))
                        .maxListenerBytes(2_000)
                        .connect(server)) {
            assertThat(
                            stopped.flood(
                                    "notifications/message",
                                    "{\"level\": \"info\", \"data\": \"%s\"}",
                                    "notifications/resources/updated",
                                    "{\"uri\": \"a:b\"}"))
                    .hasSize(2);
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    void updatesThatWaitAreBoundedByBytes() throws Exception {
        Stopped stopped = new Stopped();
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onResourceUpdated(stopped::receive)
                        .onLog(entry -> heard.add("marker"))
                        .maxListenerBytes(2_000)
                        .connect(server)) {
            assertThat(
                            stopped.flood(
                                    "notifications/resources/updated",
                                    "{\"uri\": \"a:%s\"}",
                                    "notifications/message",
                                    "{\"level\": \"info\", \"data\": 1}"))
                    .hasSize(2);
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    void notificationsOfOnesOwnThatWaitAreBoundedByBytes() throws Exception {
        Stopped stopped = new Stopped();
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onNotification("x/note", params -> stopped.receive(params.toString()))
                        .onLog(entry -> heard.add("marker"))
                        .maxListenerBytes(2_000)
                        .connect(server)) {
            assertThat(
                            stopped.flood(
                                    "x/note",
                                    "{\"text\": \"%s\"}",
                                    "notifications/message",
                                    "{\"level\": \"info\", \"data\": 1}"))
                    .hasSize(2);
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    void aFailingListenerStillReceivesTheNextMessage() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onLog(
                                entry -> {
                                    heard.add(entry.data());
                                    throw new IllegalStateException("broken listener");
                                })
                        .connect(server)) {
            server.notifyClient("notifications/message", "{\"level\": \"info\", \"data\": 1}");
            server.notifyClient("notifications/message", "{\"level\": \"info\", \"data\": 2}");
            assertThat(next()).hasToString("1");
            assertThat(next()).hasToString("2");
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    @Requirement({"TOOL-005", "RES-006", "PROMPT-005"})
    void changesOfListsComeWithTheFreshList() throws Exception {
        server.on("tools/list", "{\"tools\": [{\"name\": \"a\", \"inputSchema\": {}}]}")
                .on("resources/list", "{\"resources\": [{\"uri\": \"a:b\", \"name\": \"r\"}]}")
                .on("prompts/list", "{\"prompts\": [{\"name\": \"p\"}]}");
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onToolsChanged(
                                changed ->
                                        heard.add(
                                                changed.tools().stream().map(Tool::name).toList()))
                        .onResourcesChanged(
                                changed ->
                                        heard.add(
                                                changed.resources().stream()
                                                        .map(Resource::uri)
                                                        .toList()))
                        .onPromptsChanged(
                                changed ->
                                        heard.add(
                                                changed.prompts().stream()
                                                        .map(Prompt::name)
                                                        .toList()))
                        .connect(server)) {
            server.notifyClient("notifications/tools/list_changed", "{}");
            assertThat(next()).isEqualTo(List.of("a"));
            server.notifyClient("notifications/resources/list_changed", "{}");
            assertThat(next()).isEqualTo(List.of("a:b"));
            server.notifyClient("notifications/prompts/list_changed", "{}");
            assertThat(next()).isEqualTo(List.of("p"));
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    @Requirement("ROOM-080")
    void aBurstOfChangesIsDeliveredTogether() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onToolsChanged(changed -> heard.add(changed.tools().size()))
                        .onResourcesChanged(changed -> heard.add("resources"))
                        .onNotification("com.example/after", params -> heard.add("after"))
                        .connect(server)) {
            server.notifyClient("notifications/tools/list_changed", "{}");
            JsonObject first = server.next("tools/list");
            for (int i = 0; i < 100; i++) {
                server.notifyClient("notifications/tools/list_changed", "{}");
            }
            server.notifyClient(
                    "notifications/resources/list_changed", "{}"); // is delivered after them
            server.notifyClient("com.example/after", "{}");
            assertThat(next()).isEqualTo("after");
            server.answer(first, "{\"tools\": []}");
            assertThat(next()).isEqualTo(0);
            server.answer(
                    server.next("tools/list"),
                    "{\"tools\": [{\"name\": \"a\", \"inputSchema\": {}}]}");
            assertThat(next()).isEqualTo(1);
            server.answer(server.next("resources/list"), "{\"resources\": []}");
            assertThat(next()).isEqualTo("resources");
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    void aChangedListThatCannotBeReadAtFirstIsReadAgain() throws Exception {
        ManualTimers timers = new ManualTimers();
        BlockingQueue<List<Tool>> lists = new LinkedBlockingQueue<>();
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onToolsChanged(list -> lists.add(list.tools()))
                        .connect(server, timers)) {
            server.notifyClient("notifications/tools/list_changed", "{}");
            JsonObject list = server.next("tools/list");
            timers.untilNextTimer(
                    ListReader.AGAIN, () -> server.refuse(list, -32603, "The disk is busy"));
            timers.advance(ListReader.AGAIN);
            server.answer(server.next("tools/list"), "{\"tools\": []}");
            assertThat(lists.poll(30, TimeUnit.SECONDS)).isEmpty();
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    void aWatchAtAServerThatCannotBeReachedFailsWithTheReason() throws Exception {
        Remote gone =
                host -> {
                    throw new IOException("no route to the server");
                };
        try (McpClient client = McpClient.named("desk", "1").lazy().connect(gone)) {
            assertThatThrownBy(() -> client.watch("a://b", uri -> {}))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("no route to the server");
        }
    }

    @Test
    @Requirement("BASE-019")
    void ownRequestsAndNotificationsOfTheServerAreServed() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onRequest(
                                "com.example/add",
                                params -> JsonObject.of("sum", params.integer("a") + 1))
                        .onNotification("com.example/event", heard::add)
                        .connect(server)) {
            server.ask(1, "com.example/add", "{\"a\": 4}");
            assertThat(server.response(1).get("result")).isEqualTo(json("{\"sum\": 5}"));
            server.notifyClient("com.example/event", "{\"x\": 1}");
            assertThat(next()).isEqualTo(json("{\"x\": 1}"));
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    @Requirement({"BASE-017", "BASE-019", "ERR-005"})
    void unknownRequestsAreRefusedAndUnknownNotificationsIgnored() throws Exception {
        try (McpClient client = McpClient.connect(server)) {
            server.notifyClient("notifications/future", "{}");
            server.notifyClient("notifications/resources/updated", "{\"uri\": 5}");
            server.notifyClient("notifications/tasks/status", "{\"taskId\": 5}");
            server.ask(1, "tools/list", "{}");
            assertThat(server.response(1).get("error"))
                    .isEqualTo(
                            JsonObject.of(
                                    "code", -32601, "message", "Method not found: tools/list"));
            server.ask(2, "tasks/list", "{}");
            assertThat(server.response(2).object("error").integer("code")).isEqualTo(-32601);
            server.expectNothing();
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    void methodsOfTheProtocolCannotBeTakenOver() {
        for (String method :
                List.of("ping", "tools/list", "notifications/message", "tasks/get", "rpc.x")) {
            assertThatThrownBy(() -> McpClient.named("a", "1").onRequest(method, params -> params))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the protocol keeps this method for itself: " + method);
        }
    }

    // ---- watching

    @Test
    @Requirement({"RES-007", "RES-008"})
    void updatesOfAWatchedResourceAndThoseBelowItAreDelivered() throws Exception {
        server.on(
                "resources/subscribe",
                params ->
                        params.string("uri").equals("a://x")
                                ? "{}"
                                : "error:{\"code\": -32002, \"message\": \"none\"}");
        try (McpClient client = McpClient.connect(server)) {
            Subscription watch = client.watch("a://x", heard::add);
            for (String uri :
                    List.of("a://xy", "a://x", "b://x", "a://x/part", "a://x?q", "a://x#f")) {
                server.notifyClient(
                        "notifications/resources/updated", "{\"uri\": \"%s\"}".formatted(uri));
            }
            assertThat(List.of(next(), next(), next(), next()))
                    .containsExactly("a://x", "a://x/part", "a://x?q", "a://x#f");
            assertThat(watch.uri()).isEqualTo("a://x");

            assertThatThrownBy(() -> client.watch("a://unknown", heard::add)).hasMessage("none");
            assertThat(heard).isEmpty();
        }
    }

    @Test
    @Requirement("RES-007")
    void theLastWatchOfAResourceUnsubscribes() throws Exception {
        server.on("resources/subscribe", "{}");
        try (McpClient client = McpClient.connect(server)) {
            Subscription first = client.watch("a://x", heard::add);
            Subscription second = client.watch("a://x", heard::add);
            first.close();
            first.close();
            server.expectNothing();
            Background<Object> closing =
                    Background.call(
                            () -> {
                                second.close();
                                return "closed";
                            });
            JsonObject unsubscribe = server.next("resources/unsubscribe");
            assertThat(unsubscribe.get("params")).isEqualTo(json("{\"uri\": \"a://x\"}"));
            server.answer(unsubscribe, "{}");
            assertThat(closing.result()).isEqualTo("closed");
        }
    }

    @Test
    @Requirement("LIFE-028")
    void aSilentServerHoldsUpTheClosingOfAWatchForSoLong() throws Exception {
        ManualTimers timers = new ManualTimers();
        server.on("resources/subscribe", "{}");
        try (McpClient client = McpClient.named("desk", "1").connect(server, timers)) {
            Subscription watch =
                    client.withTimeout(Duration.ofSeconds(3)).watch("a://x", heard::add);
            Background<Object> closing =
                    Background.call(
                            () -> {
                                watch.close();
                                return "closed";
                            });
            server.next("resources/unsubscribe");
            timers.awaitTimers(1);
            timers.advance(Duration.ofSeconds(3));
            assertThat(closing.result()).isEqualTo("closed");
        }
    }

    @Test
    void aWatchThatBeginsWhileTheLastOneEndsStays() throws Exception {
        List<String> requests = new CopyOnWriteArrayList<>();
        server.on(
                "resources/subscribe",
                params -> {
                    requests.add("subscribe");
                    return "{}";
                });
        try (McpClient client = McpClient.connect(server)) {
            Subscription first = client.watch("a://x", heard::add);
            Background<Object> closing =
                    Background.call(
                            () -> {
                                first.close();
                                return "closed";
                            });
            JsonObject unsubscribe = server.next("resources/unsubscribe");
            client.watch("a://x", heard::add);
            requests.add("unsubscribe");
            server.answer(unsubscribe, "{}");
            closing.result();
            assertThat(requests)
                    .containsExactly("subscribe", "subscribe", "unsubscribe", "subscribe");
        }
    }

    @Test
    void closingAWatchOfALostConnectionIsNoFailure() throws Exception {
        server.on("resources/subscribe", "{}");
        try (McpClient client = McpClient.connect(server)) {
            Subscription watch = client.watch("a://x", heard::add);
            server.vanish();
            watch.close();
            assertThat(client.revision()).isNotNull();
        }
    }
}
