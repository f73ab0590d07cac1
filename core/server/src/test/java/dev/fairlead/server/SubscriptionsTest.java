package dev.fairlead.server;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.jsonrpc.Transport;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.changes.Change;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.changes.ChangeListener;
import dev.fairlead.protocol.pipe.PipeEndpoint;
import dev.fairlead.protocol.pipe.PipeSettings;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Streams of changes that clients of revision 2026-07-28 listen to, over a pipe. */
class SubscriptionsTest {
    private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
    private static final String ID = "io.modelcontextprotocol/subscriptionId";

    record Nothing() {}

    record Id(String id) {}

    private static McpServer.Builder server() {
        return McpServer.named("changes", "1")
                .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                .tool("first", "First", Nothing.class, String.class)
                .handle((nothing, call) -> "first")
                .resource("test://open", "open", String.class)
                .handle((request, call) -> "open");
    }

    private static String params(String members) {
        return """
        {%s"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                     "io.modelcontextprotocol/clientCapabilities": {}}}\
        """
                .formatted(members.isEmpty() ? "" : members + ", ");
    }

    private static void listen(Peer peer, String id, String filter) {
        peer.send(
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"method\": \"subscriptions/listen\", \"params\": %s}"
                        .formatted(id, params("\"notifications\": " + filter)));
    }

    private static void addTool(McpServer server, String name) {
        server.update(
                changes ->
                        changes.tool(name, "Another", Nothing.class, String.class)
                                .handle((nothing, call) -> name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "\"seven\""})
    @Requirement({"N26-SUB-003", "N26-SUB-004", "N26-META-009", "N26-SUB-012"})
    void theAcknowledgementComesFirstAndEachMessageNamesItsStream(String id) throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            listen(peer, id, "{\"toolsListChanged\": true, \"promptsListChanged\": true}");
            JsonObject acknowledged = peer.next(ACKNOWLEDGED).object("params");
            assertThat(acknowledged)
                    .isEqualTo(
                            JsonObject.of(
                                    "notifications",
                                    JsonObject.of("toolsListChanged", true),
                                    "_meta",
                                    JsonObject.of(ID, JsonValue.parse(id))));
            addTool(server, "second");
            assertThat(peer.next("notifications/tools/list_changed").object("params"))
                    .isEqualTo(JsonObject.of("_meta", JsonObject.of(ID, JsonValue.parse(id))));
        }
    }

    @Test
    @Requirement({"N26-SUB-002", "N26-SUB-006", "N26-SUB-007"})
    void onlyRequestedKindsAreNotified() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            listen(peer, "101", "{\"resourcesListChanged\": true}");
            listen(peer, "102", "{\"toolsListChanged\": true}");
            peer.next(ACKNOWLEDGED);
            peer.next(ACKNOWLEDGED);
            addTool(server, "second");
            JsonObject told = peer.next("notifications/tools/list_changed").object("params");
            assertThat(told.object("_meta").get(ID)).isEqualTo(JsonValue.of(102));
            peer.initialize("2025-11-25", "{}");
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement({"N26-SUB-013", "N26-SUB-014", "N26-SUB-015", "N26-RES-001"})
    void onlyVisibleResourcesCanBeSubscribed() throws Exception {
        AtomicBoolean visible = new AtomicBoolean(true);
        try (McpServer server =
                        server().resource("test://secret", "secret", String.class)
                                .visibleTo(caller -> false)
                                .handle((request, call) -> "secret")
                                .resource("test://sometimes", "sometimes", String.class)
                                .visibleTo(caller -> visible.get())
                                .handle((request, call) -> "sometimes")
                                .build();
                Peer peer = Peer.raw(server)) {
            listen(
                    peer,
                    "101",
                    "{\"resourceSubscriptions\": [\"test://open\", \"test://secret\","
                            + " \"test://none\", \"test://sometimes\", \"test://open\"]}");
            assertThat(
                            peer.next(ACKNOWLEDGED)
                                    .object("params")
                                    .object("notifications")
                                    .get("resourceSubscriptions"))
                    .isEqualTo(JsonArray.of("test://open", "test://sometimes"));
            server.resourceUpdated("test://secret");
            server.resourceUpdated("test://sometimes");
            assertThat(peer.next("notifications/resources/updated").object("params").string("uri"))
                    .isEqualTo("test://sometimes");
            visible.set(false);
            server.resourceUpdated("test://sometimes");
            server.resourceUpdated("test://open");
            assertThat(peer.next("notifications/resources/updated").object("params").string("uri"))
                    .isEqualTo("test://open");
        }
    }

    @Test
    @Requirement("N26-SUB-015")
    void scopesAreCheckedWhenSubscribingAndAgainAtEachDelivery() throws Exception {
        Caller reader = Caller.of("https://login.example", "ada", null, Set.of("read"));
        try (McpServer server =
                        server().resource("test://read", "read", String.class)
                                .requireScopes("read")
                                .handle((request, call) -> "read")
                                .resource("test://write", "write", String.class)
                                .requireScopes("write")
                                .handle((request, call) -> "write")
                                .resourceTemplate("note://{id}", "note", Id.class, String.class)
                                .requireScopes("write")
                                .handle((note, call) -> note.id())
                                .build();
                Peer peer = Peer.raw(server, reader)) {
            listen(
                    peer,
                    "1",
                    "{\"resourceSubscriptions\": [\"test://read\", \"test://write\","
                            + " \"note://1\", \"test://open\"]}");
            assertThat(
                            peer.next(ACKNOWLEDGED)
                                    .object("params")
                                    .object("notifications")
                                    .get("resourceSubscriptions"))
                    .isEqualTo(JsonArray.of("test://read", "test://open"));
            server.resourceUpdated("test://write");
            server.resourceUpdated("test://read");
            assertUpdated("test://read", peer);

            server.update(
                    changes ->
                            changes.removeResource("test://read")
                                    .resource("test://read", "read", String.class)
                                    .requireScopes("write")
                                    .handle((request, call) -> "read"));
            server.resourceUpdated("test://read");
            server.resourceUpdated("test://open");
            assertUpdated("test://open", peer);
        }
    }

    @Test
    void aCheckOfOneCallerThatFailsOrBlocksKeepsNoOtherFromAChange() throws Exception {
        AtomicBoolean acknowledged = new AtomicBoolean();
        CountDownLatch checked = new CountDownLatch(1);
        Predicate<Caller> visible =
                caller -> {
                    if (acknowledged.get() && caller.subject().startsWith("broken")) {
                        throw new IllegalStateException("a bug of the application");
                    }
                    if (acknowledged.get() && caller.subject().startsWith("slow")) {
                        Uninterruptibly.await(checked::await);
                    }
                    return true;
                };
        List<Peer> others = new ArrayList<>();
        try (McpServer server =
                server().resource("test://checked", "checked", String.class)
                        .visibleTo(visible)
                        .handle((request, call) -> "checked")
                        .build()) {
            for (int i = 0; i < 5; i++) { // their order is any
                for (String name : List.of("broken", "slow", "other")) {
                    Peer peer =
                            Peer.raw(server, Caller.of("https://login", name + i, null, Set.of()));
                    listen(peer, "1", "{\"resourceSubscriptions\": [\"test://checked\"]}");
                    peer.next(ACKNOWLEDGED);
                    if (name.equals("other")) {
                        others.add(peer);
                    }
                }
            }
            acknowledged.set(true);
            CompletableFuture<Void> sent =
                    CompletableFuture.runAsync(() -> server.resourceUpdated("test://checked"));
            for (Peer other : others) {
                assertUpdated("test://checked", other);
            }
            sent.get(60, TimeUnit.SECONDS);
        } finally {
            checked.countDown();
        }
    }

    @Test
    @Requirement({"N26-SUB-008", "N26-CANC-002"})
    void aCancelledStreamGivesItsPlaceBack() throws Exception {
        try (McpServer server = server().maxListenStreamsPerCaller(1).build();
                Peer peer = Peer.raw(server)) {
            listen(peer, "101", "{\"toolsListChanged\": true}");
            peer.next(ACKNOWLEDGED);
            JsonObject refused =
                    peer.error("subscriptions/listen", params("\"notifications\": {}"));
            assertThat(Peer.code(refused)).isEqualTo(-32603);
            assertThat(refused.object("data").bool("retryable")).isTrue();
            peer.notify("notifications/cancelled", "{\"requestId\": 101}");
            listen(peer, "103", "{\"toolsListChanged\": true}");
            assertThat(peer.next(ACKNOWLEDGED).object("params").object("_meta").get(ID))
                    .isEqualTo(JsonValue.of(103));
            addTool(server, "second");
            JsonObject told = peer.next("notifications/tools/list_changed").object("params");
            assertThat(told.object("_meta").get(ID)).isEqualTo(JsonValue.of(103));
            peer.initialize("2025-11-25", "{}");
            assertThat(peer.rest()).isEmpty();
        }
    }

    /** A cancellation that comes while the request still has its thread. */
    @Test
    void aStreamThatIsCancelledGivesItsPlaceBackAtOnce() throws Exception {
        CountDownLatch acknowledged = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Interceptor late =
                (method, next) -> {
                    Outcome<?> outcome = next.proceed(method);
                    if (method.name().equals("subscriptions/listen")
                            && acknowledged.getCount() > 0) {
                        acknowledged.countDown();
                        Uninterruptibly.await(over::await);
                    }
                    return outcome;
                };
        try (McpServer server = server().maxListenStreamsPerCaller(1).intercept(late).build();
                Peer peer = Peer.raw(server)) {
            listen(peer, "101", "{\"toolsListChanged\": true}");
            peer.next(ACKNOWLEDGED);
            acknowledged.await();
            peer.notify("notifications/cancelled", "{\"requestId\": 101}");
            listen(peer, "103", "{\"toolsListChanged\": true}");
            assertThat(peer.next(ACKNOWLEDGED).object("params").object("_meta").get(ID))
                    .isEqualTo(JsonValue.of(103));
            over.countDown();
        }
    }

    @Test
    void thereAreOnlySoManyInAll() throws Exception {
        try (McpServer server = server().maxListenStreams(2).build();
                Peer one = Peer.raw(server);
                Peer two = Peer.raw(server)) {
            listen(one, "101", "{}");
            one.next(ACKNOWLEDGED);
            listen(two, "101", "{}");
            two.next(ACKNOWLEDGED);
            JsonObject refused = two.error("subscriptions/listen", params("\"notifications\": {}"));
            assertThat(refused.string("message")).contains("2 subscriptions");
        }
    }

    @Test
    void aStreamWatchesOnlySoManyResources() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            String uris =
                    IntStream.range(0, 1_001)
                            .mapToObj(i -> "\"test://" + i + "\"")
                            .collect(Collectors.joining(",", "[", "]"));
            JsonObject refused =
                    peer.error(
                            "subscriptions/listen",
                            params("\"notifications\": {\"resourceSubscriptions\": " + uris + "}"));
            assertThat(refused.string("message")).contains("1000 resources");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"notifications\": 7",
                "\"notifications\": {\"toolsListChanged\": 1}",
                "\"notifications\": {\"resourceSubscriptions\": \"test://open\"}"
            })
    @Requirement("N26-SUB-001")
    void aMalformedFilterIsRefused(String members) throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            assertThat(Peer.code(peer.error("subscriptions/listen", params(members))))
                    .isEqualTo(-32602);
        }
    }

    @Test
    @Requirement("N26-TASK-024")
    void tasksAreWatchedOnlyWithTheirExtension() throws Exception {
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server)) {
            JsonObject refused =
                    peer.error(
                            "subscriptions/listen",
                            params("\"notifications\": {\"taskIds\": [\"t\"]}"));
            assertThat(Peer.code(refused)).isEqualTo(-32021);
            assertThat(refused.object("data").object("requiredCapabilities"))
                    .isEqualTo(
                            JsonObject.of(
                                    "extensions",
                                    JsonObject.of(
                                            "io.modelcontextprotocol/tasks", JsonObject.EMPTY)));
        }
    }

    @Test
    @Requirement({"N26-SUB-009", "N26-SUB-010"})
    void theEndOfTheServerIsAResultAndThenACancellation() throws Exception {
        McpServer server = server().build();
        try (Peer peer = Peer.raw(server)) {
            listen(peer, "105", "{\"toolsListChanged\": true}");
            peer.next(ACKNOWLEDGED);
            server.close();
            assertThat(peer.responseTo(105).object("result"))
                    .isEqualTo(
                            JsonObject.of(
                                    "resultType",
                                    "complete",
                                    "_meta",
                                    JsonObject.of(ID, JsonValue.of(105))));
            assertThat(peer.next("notifications/cancelled").object("params").get("requestId"))
                    .isEqualTo(JsonValue.of(105));
        }
    }

    /** Watches a resource and the tools, by a stream and in a session. */
    private static void watchBoth(Peer stream, Peer session) throws Exception {
        session.call("resources/subscribe", "{\"uri\": \"test://open\"}");
        listen(
                stream,
                "1",
                "{\"toolsListChanged\": true, \"resourceSubscriptions\": [\"test://open\"]}");
        stream.next(ACKNOWLEDGED);
    }

    private static void assertUpdated(String uri, Peer... peers) throws Exception {
        for (Peer peer : peers) {
            JsonObject updated = peer.next("notifications/resources/updated");
            assertThat(updated.object("params").string("uri")).isEqualTo(uri);
        }
    }

    private static void assertToolsChanged(Peer... peers) throws Exception {
        for (Peer peer : peers) {
            peer.next("notifications/tools/list_changed");
        }
    }

    @Test
    @Requirement({"N26-SUB-006", "N26-RES-001"})
    void changesOfOneNodeReachTheClientsOfAll() throws Exception {
        ChangeBus bus = ChangeBus.inProcess();
        try (McpServer here = server().changes(bus).build();
                McpServer there = server().changes(bus).build();
                Peer stream = Peer.raw(here);
                Peer session = Peer.of(here)) {
            watchBoth(stream, session);

            there.resourceUpdated("test://open");
            assertUpdated("test://open", stream, session);
            addTool(there, "second");
            assertToolsChanged(stream, session);
        }
    }

    @Test
    void changesThatWereMissedAreMadeGood() throws Exception {
        Announcer bus = new Announcer();
        try (McpServer server = server().changes(bus).build();
                Peer stream = Peer.raw(server);
                Peer session = Peer.of(server)) {
            watchBoth(stream, session);

            bus.listener.changesMissed();

            assertUpdated("test://open", stream, session);
            assertToolsChanged(stream, session);
        }
        assertThat(bus.closed).isTrue();
    }

    @Test
    @Requirement("N26-SUB-009")
    void theEndOfTheServerWaitsForAStreamThatIsBeingAcknowledged() throws Exception {
        AtomicReference<McpServer> server = new AtomicReference<>();
        Thread closer = Thread.ofPlatform().unstarted(() -> server.get().close());
        Interceptor late =
                (method, next) -> {
                    Outcome<?> outcome = next.proceed(method);
                    if (method.name().equals("subscriptions/listen")) {
                        closer.start(); // although the request still has its thread
                        await().until(() -> !closer.isAlive() || isWaiting(closer));
                    }
                    return outcome;
                };
        server.set(server().intercept(late).build(new ManualTimers())); // so the wait has no end
        try (Peer peer = Peer.raw(server.get())) {
            listen(peer, "105", "{\"toolsListChanged\": true}");

            peer.next(ACKNOWLEDGED);
            assertThat(peer.responseTo(105).object("result").string("resultType"))
                    .isEqualTo("complete");
            closer.join();
        }
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING;
    }

    @Test
    @Requirement({"N26-SUB-015", "N26-SUB-009", "N26-SUB-010"})
    void aStreamEndsWithTheTokenOfItsCaller() throws Exception {
        ManualTimers timers = new ManualTimers();
        Caller ada =
                Caller.of("https://login.example", "ada", null, Set.of())
                        .withValidUntil(timers.clock().instant().plusSeconds(60));
        try (McpServer server = server().maxListenStreamsPerCaller(1).build(timers);
                Peer peer = Peer.raw(server, ada)) {
            listen(peer, "106", "{\"toolsListChanged\": true}");
            peer.next(ACKNOWLEDGED);
            timers.advance(Duration.ofSeconds(59));
            addTool(server, "second");
            timers.advance(Duration.ofMillis(900)); // the delay of changes
            peer.next("notifications/tools/list_changed");

            timers.advance(Duration.ofMillis(100));

            assertThat(peer.responseTo(106).object("result").string("resultType"))
                    .isEqualTo("complete");
            JsonObject cancelled = peer.next("notifications/cancelled").object("params");
            assertThat(cancelled.get("requestId")).isEqualTo(JsonValue.of(106));
            assertThat(cancelled.string("reason")).isEqualTo("the token of the caller has expired");
            listen(peer, "107", "{\"toolsListChanged\": true}"); // its place is free again
            peer.next(ACKNOWLEDGED);
            assertThat(peer.responseTo(107).object("result").string("resultType"))
                    .isEqualTo("complete");
        }
    }

    @Test
    void aTokenWithoutEndKeepsItsStream() throws Exception {
        Caller ada =
                Caller.of("https://login.example", "ada", null, Set.of())
                        .withValidUntil(Instant.MAX);
        try (McpServer server = server().build();
                Peer peer = Peer.raw(server, ada)) {
            listen(peer, "1", "{\"toolsListChanged\": true}");
            peer.next(ACKNOWLEDGED);
            addTool(server, "second");
            peer.next("notifications/tools/list_changed");
        }
    }

    /** A bus that has lost its connection for a while. */
    private static final class Announcer implements ChangeBus {
        private ChangeListener listener;
        private boolean closed;

        @Override
        public Registration listen(ChangeListener listener) {
            this.listener = listener;
            return () -> closed = true;
        }

        @Override
        public void publish(Change change) {}
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(60)
    @Requirement({"N26-STDIO-008", "N26-SUB-009", "N26-SUB-010"})
    void aStreamEndsWithTheInputOfItsPipe(boolean acknowledgedBefore) throws Exception {
        OneStream client = new OneStream(acknowledgedBefore);
        try (McpServer server = server().build();
                Serving serving =
                        server.serve(
                                new PipeEndpoint(
                                        client,
                                        PipeSettings.named("pipe")
                                                .withAnswerGrace(Duration.ofDays(1))))) {
            serving.await();
            assertThat(client.sent)
                    .extracting(
                            message -> message.has("method") ? message.string("method") : "result")
                    .containsExactly(ACKNOWLEDGED, "result", "notifications/cancelled");
        }
    }

    /** A client that listens and then sends nothing more. */
    private static final class OneStream implements Transport {
        final BlockingQueue<JsonObject> sent = new LinkedBlockingQueue<>();
        private final CountDownLatch acknowledged;
        private boolean listened;

        OneStream(boolean acknowledgedBefore) {
            acknowledged = new CountDownLatch(acknowledgedBefore ? 1 : 0);
        }

        @Override
        public @Nullable JsonRpcMessage receive() throws IOException {
            if (listened) {
                Uninterruptibly.await(acknowledged::await);
                return null;
            }
            listened = true;
            return new JsonRpcRequest(
                    RequestId.of(1),
                    "subscriptions/listen",
                    RawJson.of(
                            (JsonObject)
                                    JsonValue.parse(
                                            params(
                                                    "\"notifications\": {\"toolsListChanged\":"
                                                            + " true}"))));
        }

        @Override
        public void send(JsonRpcMessage message) {
            sent.add((JsonObject) JsonValue.parse(message.toJson()));
            acknowledged.countDown();
        }

        @Override
        public void close() {}
    }
}
