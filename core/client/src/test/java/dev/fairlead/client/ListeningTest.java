package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.ALL_CAPABILITIES;
import static dev.fairlead.client.FakeServer.json;
import static dev.fairlead.test.support.Awaiting.await;
import static dev.fairlead.test.support.Awaiting.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.changes.Listening;
import dev.fairlead.client.link.Links;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.caching.CacheScope;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.ConnectionHandler;
import dev.fairlead.protocol.engine.ConnectionLimits;
import dev.fairlead.protocol.engine.PreparedRequest;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.FreshLog;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;

/** The stream of changes of a client of revision 2026-07-28. */
final class ListeningTest {
    private final FakeServer server = new FakeServer().keep("server/discover");
    private final ManualTimers timers = new ManualTimers();
    private final BlockingQueue<List<Tool>> lists = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> updates = new LinkedBlockingQueue<>();

    ListeningTest() {
        server.on(
                "server/discover",
                """
                {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": %s}\
                """
                        .formatted(ALL_CAPABILITIES));
        server.on("tools/list", "{\"tools\": []}");
    }

    private static McpClient.Builder client() {
        return McpClient.named("desk", "1").revisions(Revision.V2026_07_28, Revision.V2026_07_28);
    }

    private McpClient.Builder listening() {
        return client().onToolsChanged(list -> lists.add(list.tools()));
    }

    private void acknowledge(JsonObject listen, String filter) {
        change(listen, "notifications/subscriptions/acknowledged", "\"notifications\": " + filter);
    }

    private void change(JsonObject listen, String method, String members) {
        server.notifyClient(
                method,
                "{\"_meta\": {\"io.modelcontextprotocol/subscriptionId\": %s}%s}"
                        .formatted(listen.get("id"), members.isEmpty() ? "" : ", " + members));
    }

    private void toolsChanged(JsonObject listen) {
        change(listen, "notifications/tools/list_changed", "");
    }

    private static JsonObject filter(JsonObject listen) {
        return listen.object("params").object("notifications");
    }

    private void awaitList() throws InterruptedException {
        assertThat(lists.poll(30, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    @Requirement({"N26-SUB-001", "N26-STDIO-004"})
    void aListenerOpensAStreamAndReceivesItsNotifications() throws Exception {
        BlockingQueue<Object> prompts = new LinkedBlockingQueue<>();
        server.on("prompts/list", "{\"prompts\": []}");
        McpClient.Builder builder = listening().onPromptsChanged(prompts::add);
        try (McpClient client = builder.connect(server, timers)) {
            JsonObject listen = server.next("subscriptions/listen");
            String filter = "{\"toolsListChanged\": true, \"promptsListChanged\": true}";
            assertThat(filter(listen)).isEqualTo(json(filter));
            assertThat(listen.object("params").object("_meta").names())
                    .contains("io.modelcontextprotocol/protocolVersion");
            acknowledge(listen, filter);
            String changed = "notifications/prompts/list_changed";
            server.notifyClient(changed, "{}"); // belongs to no stream
            server.notifyClient(
                    changed,
                    "{\"_meta\": {\"io.modelcontextprotocol/subscriptionId\": \"other\"}}");
            server.notifyClient(
                    changed,
                    "{\"_meta\": {\"io.modelcontextprotocol/subscriptionId\": {\"a\": 1}}}");
            toolsChanged(listen);
            awaitList(); // lists are read in the order of their changes
            assertThat(prompts).isEmpty();
            change(listen, changed, "");
            assertThat(prompts.poll(30, TimeUnit.SECONDS)).isNotNull();
            client.ping();
        }
    }

    /** Begins to read a list, which waits until its changes are announced. */
    private Background<List<Tool>> waitingToRead(McpClient client) throws Exception {
        AtomicReference<Background<List<Tool>>> reading = new AtomicReference<>();
        timers.untilNextTimer(
                Duration.ofSeconds(1), () -> reading.set(Background.call(client::tools)));
        return reading.get();
    }

    @Test
    void aListIsReadOnceItsChangesAreAnnounced() throws Exception {
        BlockingQueue<String> order = new LinkedBlockingQueue<>();
        server.on(
                "tools/list",
                params -> {
                    order.add("read");
                    return "{\"tools\": []}";
                });
        try (McpClient client = listening().connect(server, timers)) {
            JsonObject listen = server.next("subscriptions/listen");
            Background<List<Tool>> reading = waitingToRead(client);
            order.add("acknowledged");
            acknowledge(listen, "{\"toolsListChanged\": true}");
            assertThat(reading.result()).isEmpty();
        }
        assertThat(order).containsExactly("acknowledged", "read");
        assertThat(lists).isEmpty();
    }

    @Test
    void aChangeIsNotMissedThoughTheStreamComesLate() throws Exception {
        try (McpClient client = listening().connect(server, timers)) {
            JsonObject listen = server.next("subscriptions/listen");
            Background<List<Tool>> reading = waitingToRead(client);
            timers.advance(Duration.ofSeconds(1));
            assertThat(reading.result()).isEmpty();
            acknowledge(listen, "{\"toolsListChanged\": true}");
            awaitList();
        }
    }

    @Test
    void withoutAListenerThereIsNoStream() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            client.ping();
            server.expectNothing();
        }
    }

    @Test
    @Requirement({"N26-SUB-006", "N26-SUB-008", "N26-CANC-001", "N26-STDIO-005"})
    void aGrownFilterHasAStreamOfItsOwnBeforeTheOldOneIsClosed() throws Exception {
        try (McpClient client = listening().connect(server, timers)) {
            JsonObject first = server.next("subscriptions/listen");
            acknowledge(first, "{\"toolsListChanged\": true}");
            Background<Subscription> watching =
                    Background.call(() -> client.watch("a://b", updates::add));
            JsonObject second = server.next("subscriptions/listen");
            assertThat(filter(second))
                    .isEqualTo(
                            json(
                                    "{\"toolsListChanged\": true, \"resourceSubscriptions\":"
                                            + " [\"a://b\"]}"));
            server.expectNothing(); // the old one stands
            toolsChanged(first);
            awaitList();
            acknowledge(
                    second, "{\"toolsListChanged\": true, \"resourceSubscriptions\": [\"a://b\"]}");
            assertThat(server.next("notifications/cancelled").object("params").get("requestId"))
                    .isEqualTo(first.get("id"));
            Subscription subscription = watching.result();
            change(second, "notifications/resources/updated", "\"uri\": \"a://b\"");
            assertThat(updates.poll(30, TimeUnit.SECONDS)).isEqualTo("a://b");

            subscription.close();
            JsonObject third = server.next("subscriptions/listen");
            assertThat(filter(third)).isEqualTo(json("{\"toolsListChanged\": true}"));
            acknowledge(third, "{\"toolsListChanged\": true}");
            assertThat(server.next("notifications/cancelled").object("params").get("requestId"))
                    .isEqualTo(second.get("id"));
        }
    }

    @Test
    @Requirement("N26-SUB-005")
    void aResourceThatIsNotGrantedCannotBeWatched() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            Background<Subscription> watching =
                    Background.call(() -> client.watch("a://b", updates::add));
            JsonObject listen = server.next("subscriptions/listen");
            acknowledge(listen, "{}");
            assertThatThrownBy(watching::result)
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessageContaining("a://b");
            assertThat(server.next("notifications/cancelled").object("params").get("requestId"))
                    .isEqualTo(listen.get("id"));
        }
    }

    @Test
    void aServerThatGrantsNothingCausesOneLineHoweverOftenItsClientsConnect() throws Exception {
        String line = " The server does not send all changes that are wanted; missing: the list of";
        try (Logged log = new Logged(Listening.class.getName(), Level.FINE)) {
            for (int i = 1; i <= 3; i++) {
                int times = i;
                try (McpClient client = listening().connect(server, timers)) {
                    acknowledge(server.next("subscriptions/listen"), "{}");
                    await("a line").until(() -> lines(log, line).size() >= times);
                }
            }

            assertThat(lines(log, "WARNING" + line)).hasSize(1);
        }
    }

    private static List<String> lines(Logged log, String part) {
        return log.lines().stream().filter(line -> line.contains(part)).toList();
    }

    @Test
    void aResourceIsWatchedAlthoughItsStreamEndsAsSoonAsItIsAcknowledged() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            Background<Subscription> watching =
                    Background.call(() -> client.watch("a://b", updates::add));
            JsonObject listen = server.next("subscriptions/listen");
            acknowledge(listen, "{\"resourceSubscriptions\": [\"a://b\"]}");
            server.answer(listen, "{\"resultType\": \"complete\"}");
            assertThat(watching.result()).isNotNull();
        }
    }

    @Test
    @Requirement("N26-SUB-011")
    void aStreamThatEndsIsOpenedAgainAndWhatWasMissedIsMadeGood() throws Exception {
        try (McpClient client = listening().connect(server, timers)) {
            JsonObject first = server.next("subscriptions/listen");
            acknowledge(first, "{\"toolsListChanged\": true}");
            timers.untilNextTimer(
                    Duration.ofMillis(500),
                    () -> server.answer(first, "{\"resultType\": \"complete\"}"));
            server.expectNothing();
            timers.advance(Duration.ofMillis(500));
            JsonObject second = server.next("subscriptions/listen");
            assertThat(second.get("id")).isNotEqualTo(first.get("id"));
            acknowledge(second, "{\"toolsListChanged\": true}");
            awaitList(); // although no notification came
            client.ping();
        }
    }

    @Test
    @Requirement({"N26-SUB-006", "N26-SUB-011"})
    void aStreamThatEndsBeforeTheNextOneIsAcknowledgedCountsAsLost() throws Exception {
        String tools = "{\"toolsListChanged\": true}";
        String both = "{\"toolsListChanged\": true, \"resourceSubscriptions\": [\"a://b\"]}";
        try (McpClient client = listening().connect(server, timers)) {
            JsonObject first = server.next("subscriptions/listen");
            acknowledge(first, tools);
            Background<Subscription> watching =
                    Background.call(() -> client.watch("a://b", updates::add));
            JsonObject second = server.next("subscriptions/listen");
            server.answer(first, "{\"resultType\": \"complete\"}");
            acknowledge(second, both); // a change in between was sent on neither
            watching.result();
            awaitList();
            client.ping();
        }
    }

    @Test
    @Requirement("N26-SUB-011")
    void refusalsAndSilenceMakeTheWaitsLonger() throws Exception {
        try (McpClient client = listening().connect(server, timers)) {
            for (int wait : List.of(500, 1_000, 2_000)) {
                JsonObject listen = server.next("subscriptions/listen");
                timers.untilNextTimer(
                        Duration.ofMillis(wait), () -> server.refuse(listen, -32603, "later"));
                timers.advance(Duration.ofMillis(wait - 1));
                server.expectNothing();
                timers.advance(Duration.ofMillis(1));
            }
            JsonObject silent = server.next("subscriptions/listen");
            timers.untilNextTimer(
                    Duration.ofSeconds(4), () -> timers.advance(Duration.ofSeconds(30)));
            assertThat(server.next("notifications/cancelled").object("params").get("requestId"))
                    .isEqualTo(silent.get("id"));
            timers.advance(Duration.ofSeconds(4));
            acknowledge(server.next("subscriptions/listen"), "{\"toolsListChanged\": true}");
            awaitList();
            client.ping();
        }
    }

    @Test
    @Requirement("N26-SUB-011")
    void streamsThatDoNotLastMakeTheWaitsLonger() throws Exception {
        try (McpClient client = listening().connect(server, timers)) {
            for (int wait : List.of(500, 1_000, 2_000)) {
                endOf(server.next("subscriptions/listen"), wait);
                timers.advance(Duration.ofMillis(wait - 1));
                server.expectNothing();
                timers.advance(Duration.ofMillis(1));
            }
            JsonObject lasting = server.next("subscriptions/listen");
            acknowledge(lasting, "{\"toolsListChanged\": true}");
            awaitList();
            timers.advance(Duration.ofSeconds(30));
            timers.untilNextTimer(
                    Duration.ofMillis(500),
                    () -> server.answer(lasting, "{\"resultType\": \"complete\"}"));
            timers.advance(Duration.ofMillis(500));
            endOf(server.next("subscriptions/listen"), 1_000);
            timers.advance(Duration.ofMillis(999));
            server.expectNothing();
            timers.advance(Duration.ofMillis(1));
            server.next("subscriptions/listen");
        }
    }

    /**
     * Acknowledges a stream and ends it at once.
     *
     * @param wait the milliseconds until the next one; after the first one, the list is read
     */
    private void endOf(JsonObject listen, int wait) throws Exception {
        acknowledge(listen, "{\"toolsListChanged\": true}");
        if (wait > 500) {
            awaitList();
        }
        timers.untilNextTimer(
                Duration.ofMillis(wait),
                () -> server.answer(listen, "{\"resultType\": \"complete\"}"));
    }

    @Test
    @Requirement("N26-SUB-005")
    void changesThatAreNotGrantedAreReportedOnce() throws Exception {
        String line = "WARNING The server does not send all changes that are wanted; missing: ";
        String tools = "{\"toolsListChanged\": true}";
        McpClient.Builder both = listening().onResourcesChanged(list -> {});
        try (Logged logged = new Logged(Listening.class.getName(), Level.INFO);
                McpClient client = both.connect(server, timers)) {
            acknowledge(server.next("subscriptions/listen"), tools);
            awaitLines(logged, line + "the list of resources");
            Background<Subscription> watching =
                    Background.call(() -> client.watch("a://b", updates::add));
            JsonObject watched = server.next("subscriptions/listen");
            acknowledge(watched, tools.replace("}", ", \"resourceSubscriptions\": [\"a://b\"]}"));
            watching.result();
            server.next("notifications/cancelled");
            timers.untilNextTimer(
                    Duration.ofMillis(500),
                    () -> server.answer(watched, "{\"resultType\": \"complete\"}"));
            awaitLines(logged, line + "the list of resources");
            FreshLog.forget();
            timers.advance(Duration.ofMillis(500));
            acknowledge(server.next("subscriptions/listen"), tools);
            awaitLines(
                    logged,
                    line + "the list of resources",
                    line + "the list of resources, 1 resource");
        }
    }

    private static void awaitLines(Logged logged, String... lines) {
        await().untilAsserted(() -> assertThat(logged.lines()).containsExactly(lines));
    }

    /**
     * Refuses two streams, and ends the third.
     *
     * @param next the milliseconds until the next one
     */
    private void refuseTwiceThenAcknowledge(int next) throws Exception {
        for (int wait : List.of(500, 1_000)) {
            JsonObject listen = server.next("subscriptions/listen");
            timers.untilNextTimer(
                    Duration.ofMillis(wait), () -> server.refuse(listen, -32603, "later"));
            timers.advance(Duration.ofMillis(wait));
        }
        JsonObject granted = server.next("subscriptions/listen");
        acknowledge(granted, "{\"toolsListChanged\": true}");
        awaitList();
        timers.untilNextTimer(
                Duration.ofMillis(next),
                () -> server.answer(granted, "{\"resultType\": \"complete\"}"));
        timers.advance(Duration.ofMillis(next));
    }

    @Test
    void aServerThatSendsNoChangesIsReportedOnceEachTime() throws Exception {
        String line = "WARNING The server sends no changes at the moment; trying again: later";
        try (Logged logged = new Logged(Listening.class.getName(), Level.INFO);
                McpClient client = listening().connect(server, timers)) {
            refuseTwiceThenAcknowledge(500);
            assertThat(logged.lines()).containsExactly(line);
            FreshLog.forget();
            refuseTwiceThenAcknowledge(1_000);
            assertThat(logged.lines()).containsExactly(line, line);
            client.ping();
        }
    }

    @Test
    void aServerWithoutStreamsIsAskedOnce() throws Exception {
        try (McpClient client = listening().connect(server, timers)) {
            server.refuse(server.next("subscriptions/listen"), -32601, "no");
            client.ping();
            timers.advance(Duration.ofMinutes(10));
            client.ping();
            server.expectNothing();
        }
    }

    /** The way to a server that answers nothing; each request is kept. */
    private static final class Requests implements SessionContext {
        private final BlockingQueue<JsonRpcRequest> sent = new LinkedBlockingQueue<>();

        @Override
        public void send(JsonRpcMessage message) {
            if (message instanceof JsonRpcRequest request) {
                sent.add(request);
            }
        }

        @Override
        public Caller caller() {
            return Caller.anonymous();
        }

        @Override
        public String transport() {
            return "test";
        }

        @Override
        public void close() {}

        JsonRpcRequest next() throws InterruptedException {
            JsonRpcRequest listen = sent.poll(30, TimeUnit.SECONDS);
            assertThat(listen).isNotNull();
            return listen;
        }

        void acknowledge(JsonRpcRequest listen, Listening listening) {
            String params =
                    """
                    {"_meta": {"io.modelcontextprotocol/subscriptionId": %s},
                     "notifications": {"toolsListChanged": true}}\
                    """
                            .formatted(listen.id().value());
            listening.takes(
                    new JsonRpcNotification(
                            "notifications/subscriptions/acknowledged", RawJson.parse(params)));
        }
    }

    private static void fail(Class<? extends Throwable> kind) {
        if (kind == OutOfMemoryError.class) {
            throw new OutOfMemoryError("expected by this test");
        } else if (kind == LinkageError.class) {
            throw new LinkageError("expected by this test");
        }
        throw new IllegalStateException("expected by this test");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {OutOfMemoryError.class, LinkageError.class, IllegalStateException.class})
    void aStreamIsOpenedAgainAfterAnUnexpectedFailure(Class<? extends Throwable> kind)
            throws Exception {
        Requests requests = new Requests();
        BlockingQueue<String> granted = new LinkedBlockingQueue<>();
        AtomicInteger failures = new AtomicInteger(2);
        ConnectionHandler none =
                new ConnectionHandler() {
                    @Override
                    public PreparedRequest prepare(JsonRpcRequest request, Exchange exchange) {
                        throw new AssertionError(request);
                    }

                    @Override
                    public void handle(JsonRpcNotification notification, Exchange exchange) {}
                };
        NotificationFilter wanted =
                new NotificationFilter(true, null, null, null, null, JsonObject.EMPTY);
        try (Connection connection =
                        new Connection(
                                requests, none, ConnectionLimits.DEFAULT, new ManualTimers());
                Listening listening =
                        new Listening(
                                connection,
                                "server",
                                PerRequestFace.of(Revision.V2026_07_28),
                                tasks -> JsonObject.EMPTY,
                                () -> wanted,
                                filter -> granted.add("after a loss"),
                                (filter, before) -> {
                                    if (failures.getAndDecrement() > 1) {
                                        fail(kind);
                                    }
                                    granted.add("again");
                                },
                                false,
                                timers)) {
            long mark = listening.changed();
            JsonRpcRequest first = requests.next();
            timers.untilNextTimer(
                    Duration.ofMillis(500), () -> requests.acknowledge(first, listening));
            assertThat(listening.await(mark, Duration.ofSeconds(10))).isEqualTo(wanted);
            timers.advance(Duration.ofMillis(500));
            requests.acknowledge(requests.next(), listening);

            assertThat(granted.poll(30, TimeUnit.SECONDS)).isEqualTo("after a loss");
        }
    }

    // ---- results that may be kept

    private static String kept(String name, long ttl) {
        return """
        {"resultType": "complete", "tools": [{"name": "%s", "inputSchema": {"type": "object"}}],
         "ttlMs": %s, "cacheScope": "private"}\
        """
                .formatted(name, ttl);
    }

    private static List<String> names(ClientRequests client) throws InterruptedException {
        return client.tools().stream().map(Tool::name).toList();
    }

    @Test
    @Requirement({"N26-CACHE-006", "N26-CACHE-008"})
    void aResultIsKeptForItsTimeAndNoLonger() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            server.on("tools/list", kept("one", 1_000));
            assertThat(names(client)).containsExactly("one");
            server.on("tools/list", kept("two", 1_000));
            assertThat(names(client)).containsExactly("one");
            assertThat(names(client.withFreshResults())).containsExactly("two");
            server.on("tools/list", kept("three", 1_000));
            assertThat(names(client)).containsExactly("two");
            assertThat(names(client.withoutCache())).containsExactly("three");
            assertThat(names(client)).containsExactly("two");
            timers.advance(Duration.ofMillis(1_000));
            assertThat(names(client)).containsExactly("three");
            assertThat(client.toolPage("cursor").tools()).hasSize(1); // other parameters
        }
    }

    @Test
    void aPingIsAnsweredByTheServer() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        server.on(
                "server/discover",
                params -> {
                    asked.incrementAndGet();
                    return """
                    {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                     "capabilities": {}, "ttlMs": 60000}\
                    """;
                });
        try (McpClient client = client().connect(server, timers)) {
            client.ping();
            client.ping();
            assertThat(asked).hasValue(3);
        }
    }

    @Test
    @Requirement("N26-CACHE-009")
    void aChangeDropsWhatIsKept() throws Exception {
        try (McpClient client = listening().connect(server, timers)) {
            JsonObject listen = server.next("subscriptions/listen");
            acknowledge(listen, "{\"toolsListChanged\": true}");
            server.on("tools/list", kept("one", 1_000));
            assertThat(names(client)).containsExactly("one");
            server.on("tools/list", kept("two", 1_000));
            toolsChanged(listen);
            assertThat(lists.poll(30, TimeUnit.SECONDS)).extracting(Tool::name).contains("two");
            assertThat(names(client)).containsExactly("two");
        }
    }

    /** Answers a method with a result that may be kept, and counts how often. */
    private AtomicInteger counted(String method, String members) {
        AtomicInteger asked = new AtomicInteger();
        server.on(
                method,
                params -> {
                    asked.incrementAndGet();
                    return "{\"resultType\": \"complete\", %s, \"ttlMs\": 1000}".formatted(members);
                });
        return asked;
    }

    @Test
    @Requirement("N26-CACHE-009")
    void aChangeOfAListDropsTheListsOfItsKindAlone() throws Exception {
        BlockingQueue<Object> changed = new LinkedBlockingQueue<>();
        AtomicInteger prompts = counted("prompts/list", "\"prompts\": []");
        AtomicInteger resources = counted("resources/list", "\"resources\": []");
        AtomicInteger templates = counted("resources/templates/list", "\"resourceTemplates\": []");
        McpClient.Builder builder =
                client().onPromptsChanged(changed::add).onResourcesChanged(changed::add);
        try (McpClient client = builder.connect(server, timers)) {
            JsonObject listen = server.next("subscriptions/listen");
            acknowledge(listen, "{\"promptsListChanged\": true, \"resourcesListChanged\": true}");
            readLists(client);
            readLists(client);
            assertThat(List.of(prompts.get(), resources.get(), templates.get()))
                    .containsExactly(1, 1, 1);

            change(listen, "notifications/prompts/list_changed", "");
            assertThat(next(changed)).isInstanceOf(ListPromptsResult.class);
            readLists(client);
            assertThat(List.of(prompts.get(), resources.get(), templates.get()))
                    .containsExactly(2, 1, 1);

            change(listen, "notifications/resources/list_changed", "");
            assertThat(next(changed)).isInstanceOf(ListResourcesResult.class);
            readLists(client);
            assertThat(List.of(prompts.get(), resources.get(), templates.get()))
                    .containsExactly(2, 2, 2);
        }
    }

    private static void readLists(McpClient client) throws InterruptedException {
        client.prompts();
        client.resources();
        client.resourceTemplates();
    }

    @Test
    @Requirement("N26-CACHE-009")
    void aChangeOfAResourceDropsWhatWasReadOfItAndOfThoseAboveIt() throws Exception {
        AtomicInteger reads = counted("resources/read", "\"contents\": []");
        try (McpClient client = client().connect(server, timers)) {
            Background<Subscription> watching =
                    Background.call(() -> client.watch("a://b", updates::add));
            JsonObject listen = server.next("subscriptions/listen");
            acknowledge(listen, "{\"resourceSubscriptions\": [\"a://b\"]}");
            watching.result();
            for (String uri : List.of("a://b", "a://b/c", "a://b/d", "a://bc")) {
                client.readResource(uri);
                client.readResource(uri);
            }
            assertThat(reads).hasValue(4);

            change(listen, "notifications/resources/updated", "\"uri\": \"a://b/c\"");
            assertThat(next(updates)).isEqualTo("a://b/c");

            client.readResource("a://b/d");
            client.readResource("a://bc");
            assertThat(reads).hasValue(4);
            client.readResource("a://b/c");
            client.readResource("a://b");
            assertThat(reads).hasValue(6);
        }
    }

    @Test
    @Requirement("N26-CACHE-009")
    void whatWasKeptBeforeAResourceIsWatchedIsReadAgain() throws Exception {
        AtomicInteger reads = counted("resources/read", "\"contents\": []");
        try (McpClient client = client().connect(server, timers)) {
            client.readResource("a://b");
            client.readResource("a://c");
            Background<Subscription> watching =
                    Background.call(() -> client.watch("a://b", updates::add));
            acknowledge(
                    server.next("subscriptions/listen"),
                    "{\"resourceSubscriptions\": [\"a://b\"]}");
            watching.result();
            client.readResource("a://b"); // no notification of a change before would have come
            client.readResource("a://c");
            assertThat(reads).hasValue(3);
        }
    }

    @Test
    @Requirement("N26-CACHE-008")
    void aFreshResultThatMayNotBeKeptTakesTheOlderOnesPlaceAllTheSame() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            server.on("tools/list", kept("one", 60_000));
            assertThat(names(client)).containsExactly("one");
            server.on("tools/list", kept("two", 0));
            assertThat(names(client.withFreshResults())).containsExactly("two");
            assertThat(names(client)).containsExactly("two");
        }
    }

    @Test
    void whatIsKeptIsBounded() throws Exception {
        String text = "x".repeat(1_000);
        server.on(
                "resources/read",
                params ->
                        """
                        {"contents": [{"uri": "a://b", "text": "%s"}], "ttlMs": 60000}\
                        """
                                .formatted(text));
        try (McpClient client = client().maxCacheBytes(3_000).connect(server, timers)) {
            client.readResource("a://1");
            client.readResource("a://2");
            server.keep("resources/read");
            client.readResource("a://1");
            client.readResource("a://2");
            server.on("resources/read", "{\"contents\": [], \"ttlMs\": 60000}");
            client.readResource("a://3"); // small
            server.keep("resources/read");
            client.readResource("a://3");
            client.readResource("a://2");
            server.on(
                    "resources/read",
                    "{\"contents\": [{\"uri\": \"a://b\", \"text\": \"%s\"}], \"ttlMs\": 60000}"
                            .formatted(text));
            client.readResource("a://4"); // now a://1 must go
            server.keep("resources/read");
            client.readResource("a://2");
            Background<Object> again = Background.call(() -> client.readResource("a://1"));
            server.answer(server.next("resources/read"), "{\"contents\": []}");
            again.result();
        }
    }

    // ---- a server process that ended

    @Test
    @Requirement("N26-STDIO-009")
    void aProcessThatEndsIsStartedAgainAtOnceAndWhatWasMissedIsAnnounced() throws Exception {
        try (McpClient client = listening().connect(server, timers)) {
            acknowledge(server.next("subscriptions/listen"), "{\"toolsListChanged\": true}");
            server.on("tools/list", kept("one", 60_000));
            assertThat(names(client)).containsExactly("one");
            server.on("tools/list", kept("two", 60_000));
            server.vanish();
            acknowledge(server.next("subscriptions/listen"), "{\"toolsListChanged\": true}");
            assertThat(lists.poll(30, TimeUnit.SECONDS))
                    .extracting(Tool::name)
                    .containsExactly("two");
            assertThat(names(client)).containsExactly("two");
        }
        assertThat(server.connections).hasValue(2);
    }

    @Test
    @Requirement("N26-STDIO-009")
    void aProcessThatEndsAgainAndAgainIsStartedThreeTimesAMinute() throws Exception {
        try (McpClient client = listening().connect(server, timers)) {
            acknowledge(server.next("subscriptions/listen"), "{\"toolsListChanged\": true}");
            for (int i = 0; i < 3; i++) {
                server.vanish();
                acknowledge(server.next("subscriptions/listen"), "{\"toolsListChanged\": true}");
                awaitList();
            }
            timers.untilNextTimer(Duration.ofSeconds(20), server::vanish);
            for (int i = 0; i < 2; i++) {
                timers.untilNextTimer(
                        Duration.ofSeconds(20), () -> timers.advance(Duration.ofSeconds(20)));
            }
            assertThat(server.connections).hasValue(4);
            timers.advance(Duration.ofSeconds(20)); // a minute after the other three
            acknowledge(server.next("subscriptions/listen"), "{\"toolsListChanged\": true}");
            awaitList();
            client.ping();
        }
        assertThat(server.connections).hasValue(5);
    }

    @Test
    void aProcessThatCannotBeStartedIsReportedOnce() throws Exception {
        AtomicBoolean isMissing = new AtomicBoolean();
        Remote program =
                host -> {
                    if (isMissing.get()) {
                        throw new IOException("no such program");
                    }
                    return server.connect(host);
                };
        try (Logged logged = new Logged(Links.class.getName(), Level.FINE);
                McpClient client = listening().connect(program, timers)) {
            acknowledge(server.next("subscriptions/listen"), "{\"toolsListChanged\": true}");
            isMissing.set(true);
            server.vanish();
            awaitFailures(logged, "WARNING");
            timers.advance(Duration.ofSeconds(20));
            awaitFailures(logged, "WARNING", "FINE");
            isMissing.set(false);
            timers.advance(Duration.ofSeconds(20));
            acknowledge(server.next("subscriptions/listen"), "{\"toolsListChanged\": true}");
            awaitList();

            timers.advance(Duration.ofSeconds(20)); // a minute after the first attempt
            isMissing.set(true);
            server.vanish(); // another process
            awaitFailures(logged, "WARNING", "FINE", "WARNING");
        }
        assertThat(server.connections).hasValue(2);
    }

    /** Waits until so many attempts to start the server have failed. */
    private static void awaitFailures(Logged logged, String... levels) {
        await().untilAsserted(
                        () ->
                                assertThat(logged.lines())
                                        .filteredOn(line -> line.contains("no such program"))
                                        .extracting(line -> line.substring(0, line.indexOf(' ')))
                                        .containsExactly(levels));
    }

    @Test
    void whatWasKeptOfAProcessThatEndedIsDropped() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            server.on("tools/list", kept("one", 60_000));
            assertThat(names(client)).containsExactly("one");
            server.on("tools/list", kept("two", 60_000));
            server.vanish();
            client.ping(); // starts it again
            assertThat(names(client)).containsExactly("two");
        }
        assertThat(server.connections).hasValue(2);
    }

    // ---- pages whose cursor is no longer good

    private static final String INVALID_CURSOR =
            "error:{\"code\": -32602, \"message\": \"Invalid cursor\"}";

    private static String page(String name, String cursor) {
        return kept(name, 60_000)
                .replace("\"ttlMs\"", "\"nextCursor\": \"" + cursor + "\", \"ttlMs\"");
    }

    private static String cursor(JsonObject params) {
        return params.has("cursor") ? params.string("cursor") : "";
    }

    @Test
    @Requirement("N26-CACHE-009")
    void aKeptPageWhoseCursorIsRefusedLeadsToOneMoreReadingOfTheList() throws Exception {
        server.on("tools/list", params -> page("a", "c1"));
        try (McpClient client = client().connect(server, timers)) {
            assertThat(client.toolPage(null).nextCursor()).isEqualTo("c1");
            List<String> asked = new ArrayList<>();
            server.on(
                    "tools/list",
                    params -> {
                        asked.add(cursor(params));
                        return switch (cursor(params)) {
                            case "" -> page("b", "c2");
                            case "c2" -> kept("c", 0);
                            default -> INVALID_CURSOR;
                        };
                    });
            assertThat(names(client)).containsExactly("b", "c");
            assertThat(asked).containsExactly("c1", "", "c2");
        }
    }

    @Test
    @Requirement("N26-CACHE-009")
    void aCursorThatIsAlwaysRefusedIsReportedAndNothingIsKept() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        server.on(
                "tools/list",
                params -> {
                    asked.incrementAndGet();
                    return cursor(params).isEmpty() ? page("a", "c1") : INVALID_CURSOR;
                });
        try (McpClient client = client().connect(server, timers)) {
            assertThatThrownBy(client::tools).hasMessageContaining("Invalid cursor");
            assertThat(asked).hasValue(2); // no page was kept before
            client.toolPage(null);
            assertThatThrownBy(client::tools).hasMessageContaining("Invalid cursor");
            assertThat(asked).hasValue(6);
            client.toolPage(null);
            assertThatThrownBy(() -> client.toolPage("c1")).isInstanceOf(JsonRpcException.class);
            client.toolPage(null);
            assertThat(asked).hasValue(9);
        }
    }

    // ---- hints that servers get wrong

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"ttlMs\": -1, \"cacheScope\": \"private\"",
                "\"ttlMs\": 1.5, \"cacheScope\": \"private\"",
                "\"ttlMs\": \"60000\", \"cacheScope\": \"private\"",
                "\"cacheScope\": \"public\""
            })
    @Requirement("N26-CACHE-008")
    void aTimeThatIsNoneKeepsNothing(String hints) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        server.on(
                "tools/list",
                params -> {
                    asked.incrementAndGet();
                    return "{\"resultType\": \"complete\", \"tools\": [], " + hints + "}";
                });
        try (McpClient client = client().connect(server, timers)) {
            assertThat(client.tools()).isEmpty();
            assertThat(client.tools()).isEmpty();
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void anUnknownScopeCountsAsPrivate() throws Exception {
        server.on("tools/list", kept("one", 60_000).replace("\"private\"", "\"galactic\""));
        try (McpClient client = client().connect(server, timers)) {
            assertThat(names(client)).containsExactly("one");
            server.on("tools/list", kept("two", 60_000));
            assertThat(names(client)).containsExactly("one");
            assertThat(client.toolPage(null).cacheHint().scope()).isEqualTo(CacheScope.PRIVATE);
        }
    }

    @Test
    void nothingIsKeptForLongerThanADay() throws Exception {
        try (McpClient client = client().connect(server, timers)) {
            server.on("tools/list", kept("one", Duration.ofDays(400).toMillis()));
            assertThat(names(client)).containsExactly("one");
            server.on("tools/list", kept("two", 0));
            timers.advance(Duration.ofHours(24).minusMillis(1));
            assertThat(names(client)).containsExactly("one");
            timers.advance(Duration.ofMillis(1));
            assertThat(names(client)).containsExactly("two");
        }
    }
}
