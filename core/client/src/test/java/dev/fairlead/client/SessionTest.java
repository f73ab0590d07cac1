package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;
import static dev.fairlead.client.FakeServer.withoutToken;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Pings of a connection, and the new session after the server has forgotten the old one. */
final class SessionTest {
    private static final String DONE = "{\"content\": []}";

    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();
    private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

    @CheckReturnValue
    private static Background<Object> call(McpClient client) {
        return Background.call(() -> client.callTool("t", JsonObject.EMPTY));
    }

    private void expire(JsonObject request) {
        server.fail(request, new SessionExpiredException("404"));
    }

    // ---- an expired session

    @Test
    @Requirement({"HTTP-039", "ROOM-046"})
    void anExpiredSessionIsReplacedOnceAndTheRefusedRequestSentAgain() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1").onNewSession(heard::add).connect(server, timers)) {
            Background<Object> calling = call(client);
            JsonObject refused = server.next("tools/call");
            expire(refused);
            JsonObject again = server.next("tools/call");
            assertThat(withoutToken(again.object("params")))
                    .isEqualTo(withoutToken(refused.object("params")));
            assertThat(server.connections).hasValue(2);
            server.answer(again, DONE);
            calling.result();
            assertThat(heard.poll(30, TimeUnit.SECONDS))
                    .isInstanceOf(SessionExpiredException.class);
            server.expectNothing();
        }
    }

    @Test
    @Requirement({"HTTP-039", "ROOM-046"})
    void aClientThatOnlyWatchesGetsANewSessionToo() throws Exception {
        server.on("resources/subscribe", "{}");
        try (McpClient client =
                McpClient.named("desk", "1").onNewSession(heard::add).connect(server, timers)) {
            client.watch("a://x", update -> heard.add("updated"));
            server.keep("resources/subscribe");

            server.session().expired(new SessionExpiredException("404"));

            JsonObject again = server.next("resources/subscribe");
            server.answer(again, "{}");
            assertThat(again.get("params")).isEqualTo(JsonObject.EMPTY.with("uri", "a://x"));
            assertThat(server.connections).hasValue(2);
            assertThat(heard.poll(30, TimeUnit.SECONDS))
                    .isInstanceOf(SessionExpiredException.class);
        }
    }

    /** A server that forgets each session as soon as it is open has no client busy with that. */
    @Test
    void aServerThatForgetsEachSessionAtOnceHasAClientThatOnlyWatchesWait() throws Exception {
        server.on("resources/subscribe", "{}");
        try (McpClient client = McpClient.named("desk", "1").connect(server, timers)) {
            client.watch("a://x", update -> {});
            server.keep("resources/subscribe");
            for (int lost = 0; lost < 3; lost++) {
                server.session().expired(new SessionExpiredException("404"));
                server.answer(server.next("resources/subscribe"), "{}");
            }

            timers.untilNextTimer(
                    () -> server.session().expired(new SessionExpiredException("404")));
            assertThat(server.connections).hasValue(4);

            timers.advance(Duration.ofSeconds(10));
            server.answer(server.next("resources/subscribe"), "{}");
            assertThat(server.connections).hasValue(5);
        }
    }

    @Test
    void aClientThatOnlyWatchesTriesAgainUntilThereIsANewSession() throws Exception {
        server.on("resources/subscribe", "{}");
        CountDownLatch again = new CountDownLatch(1);
        Timers observed =
                new Timers() {
                    @Override
                    public Clock clock() {
                        return timers.clock();
                    }

                    @Override
                    public Timer schedule(Duration delay, Runnable action) {
                        Timer timer = timers.schedule(delay, action);
                        if (delay.equals(Duration.ofSeconds(10))) {
                            again.countDown();
                        }
                        return timer;
                    }

                    @Override
                    public void close() {
                        timers.close();
                    }
                };
        try (McpClient client = McpClient.named("desk", "1").connect(server, observed)) {
            client.watch("a://x", update -> {});
            server.keep("resources/subscribe");
            server.on("initialize", "error:{\"code\": -32000, \"message\": \"full\"}");
            server.session().expired(new SessionExpiredException("404"));
            again.await();

            server.greet("2025-11-25", FakeServer.ALL_CAPABILITIES);
            timers.advance(Duration.ofSeconds(10));

            server.answer(server.next("resources/subscribe"), "{}");
        }
    }

    /** A server that reports a loss to have tools run twice has them run once. */
    @Test
    void aCallThatTheServerMayHaveRunIsNotSentAgainAndTheNextOneHasANewSession() throws Exception {
        SessionExpiredException doubtful = SessionExpiredException.afterRequest("-32001");
        try (McpClient client = McpClient.connect(server)) {
            Background<Object> calling = call(client);
            server.fail(server.next("tools/call"), doubtful);
            assertThatThrownBy(calling::result)
                    .isInstanceOfSatisfying(
                            SessionExpiredException.class,
                            expired -> assertThat(expired.mayHaveRun()).isTrue());

            Background<Object> next = call(client);
            server.answer(server.next("tools/call"), DONE);
            next.result();
            Background<Object> reading = Background.call(() -> client.readResource("a://x"));
            server.fail(server.next("resources/read"), doubtful);
            server.answer(server.next("resources/read"), "{\"contents\": []}");
            reading.result();

            assertThat(server.connections).hasValue(3);
            server.expectNothing();
        }
    }

    @Test
    void aServerThatLosesEverySessionGetsFewOfThem() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .requestTimeout(Duration.ofSeconds(30))
                        .connect(server, timers)) {
            for (int call = 0; call < 10; call++) {
                Background<Object> calling = call(client);
                expire(server.next("tools/call"));
                if (call < 3) {
                    expire(server.next("tools/call"));
                }
                assertThatThrownBy(calling::result).isInstanceOf(SessionExpiredException.class);
            }
            assertThat(server.connections).hasValue(4);

            timers.advance(Duration.ofSeconds(30));
            Background<Object> calling = call(client);
            expire(server.next("tools/call"));
            server.answer(server.next("tools/call"), DONE);
            calling.result();
            assertThat(server.connections).hasValue(5);
        }
    }

    @Test
    @Requirement("ROOM-046")
    void aRequestThatIsRefusedTwiceFails() throws Exception {
        try (McpClient client = McpClient.connect(server)) {
            Background<Object> calling = call(client);
            expire(server.next("tools/call"));
            expire(server.next("tools/call"));
            assertThatThrownBy(calling::result).isInstanceOf(SessionExpiredException.class);
            assertThat(server.connections).hasValue(2);
        }
    }

    @Test
    @Requirement("ROOM-046")
    void aRequestThatMayHaveBeenProcessedIsNotSentAgain() throws Exception {
        try (McpClient client = McpClient.connect(server)) {
            Background<Object> calling = call(client);
            server.fail(server.next("tools/call"), new ConnectionException("the stream broke"));
            assertThatThrownBy(calling::result)
                    .isInstanceOf(ConnectionException.class)
                    .hasMessage("the stream broke");
            assertThat(server.connections).hasValue(1);
            server.expectNothing();
        }
    }

    @Test
    @Requirement("ROOM-046")
    void theNewSessionHasTheLogLevelAndTheSubscriptionsOfTheOld() throws Exception {
        List<JsonObject> restored = new ArrayList<>();
        server.on("logging/setLevel", "{}").on("resources/subscribe", "{}");
        try (McpClient client = McpClient.connect(server)) {
            client.setLoggingLevel(LoggingLevel.ERROR);
            client.watch("a://x", heard::add);
            Subscription closed = client.watch("a://y", heard::add);
            server.on("resources/unsubscribe", "{}");
            closed.close();
            server.on(
                            "logging/setLevel",
                            params -> {
                                restored.add(params);
                                return "{}";
                            })
                    .on(
                            "resources/subscribe",
                            params -> {
                                restored.add(params);
                                return "{}";
                            });
            Background<Object> calling = call(client);
            expire(server.next("tools/call"));
            server.answer(server.next("tools/call"), DONE);
            calling.result();
            assertThat(restored)
                    .containsExactly(json("{\"level\": \"error\"}"), json("{\"uri\": \"a://x\"}"));
            server.notifyClient("notifications/resources/updated", "{\"uri\": \"a://x\"}");
            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("a://x");
        }
    }

    @Test
    @Requirement({"ROOM-046", "LIFE-028"})
    void whatASilentServerDoesNotRestoreHoldsNothingUpForLong() throws Exception {
        server.on("logging/setLevel", "{}");
        try (McpClient client = McpClient.named("desk", "1").connect(server, timers)) {
            client.setLoggingLevel(LoggingLevel.ERROR);
            server.keep("logging/setLevel");
            Background<Object> calling = call(client);
            JsonObject refused = server.next("tools/call");
            expire(refused);
            server.next("logging/setLevel"); // its timer was set before it was sent
            timers.advance(Duration.ofSeconds(30));
            server.next("notifications/cancelled");
            server.answer(server.next("tools/call"), DONE);
            calling.result();
        }
    }

    @Test
    @Requirement("ROOM-046")
    void severalRefusedRequestsShareOneNewSession() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1").onNewSession(heard::add).connect(server, timers)) {
            List<Background<Object>> calls = new ArrayList<>();
            List<JsonObject> refused = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                calls.add(call(client));
                refused.add(server.next("tools/call"));
            }
            server.on("tools/call", DONE);
            var old = server.session();
            for (JsonObject request : refused) {
                old.fail(
                        dev.fairlead.jsonrpc.RequestId.of(request.integer("id")),
                        new SessionExpiredException("404"));
            }
            for (Background<Object> calling : calls) {
                calling.result();
            }
            assertThat(server.connections).hasValue(2);
            assertThat(heard.poll(30, TimeUnit.SECONDS))
                    .isInstanceOf(SessionExpiredException.class);
            server.session().expired(new SessionExpiredException("another")); // reported in order
            assertThat(heard.poll(30, TimeUnit.SECONDS)).extracting("message").isEqualTo("another");
        }
    }

    @Test
    @Requirement("ROOM-046")
    void aNewSessionIsReportedOnceItHasTheOldSubscriptionsWhicheverCallFindsIt() throws Exception {
        server.on("resources/subscribe", "{}");
        try (McpClient client =
                McpClient.named("desk", "1").onNewSession(heard::add).connect(server, timers)) {
            client.watch("a://x", heard::add);
            server.keep("resources/subscribe");
            Background<Object> opening = call(client);
            JsonObject refused = server.next("tools/call");
            Background<Object> finding = call(client);
            JsonObject refusedToo = server.next("tools/call");
            var old = server.session();
            expire(refused);
            JsonObject subscribing = server.next("resources/subscribe");
            old.fail(
                    dev.fairlead.jsonrpc.RequestId.of(refusedToo.integer("id")),
                    new SessionExpiredException("404"));
            server.answer(server.next("tools/call"), DONE);
            finding.result();
            assertThat(Background.call(heard::poll).result()).as("reported too early").isNull();

            server.answer(subscribing, "{}");
            assertThat(heard.poll(30, TimeUnit.SECONDS))
                    .isInstanceOf(SessionExpiredException.class);
            server.answer(server.next("tools/call"), DONE);
            opening.result();
        }
    }

    @Test
    @Requirement("ROOM-046")
    void aNewSessionGetsTheOldSubscriptionsEvenIfTheOpeningCallIsInterrupted() throws Exception {
        server.on("resources/subscribe", "{}");
        try (McpClient client =
                McpClient.named("desk", "1").onNewSession(heard::add).connect(server, timers)) {
            client.watch("a://x", heard::add);
            client.watch("a://y", heard::add);
            server.keep("resources/subscribe");
            Background<Object> opening = call(client);
            expire(server.next("tools/call"));
            JsonObject subscribing = server.next("resources/subscribe");
            opening.interrupt();
            assertThatThrownBy(opening::result).isInstanceOf(InterruptedException.class);

            server.answer(subscribing, "{}");
            server.answer(server.next("resources/subscribe"), "{}");
            assertThat(heard.poll(30, TimeUnit.SECONDS))
                    .isInstanceOf(SessionExpiredException.class);
        }
    }

    @Test
    @Requirement("ROOM-046")
    void theExpiredSessionIsClosedLater() throws Exception {
        server.on("ping", "{}");
        try (McpClient client = McpClient.named("desk", "1").connect(server, timers)) {
            Background<Object> calling = call(client);
            expire(server.next("tools/call"));
            server.answer(server.next("tools/call"), DONE);
            calling.result();
            assertThat(server.closings).hasValue(0);
            timers.advance(Duration.ofSeconds(30));
            assertThat(server.closed.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            client.ping();
        }
        assertThat(server.closings).hasValue(2);
    }

    @Test
    @Requirement("ROOM-046")
    void replacingTheSessionCanBeSwitchedOff() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1").failOnExpiredSession().connect(server)) {
            Background<Object> calling = call(client);
            expire(server.next("tools/call"));
            assertThatThrownBy(calling::result).isInstanceOf(SessionExpiredException.class);
            assertThat(server.connections).hasValue(1);
        }
    }

    @Test
    @Requirement("ROOM-046")
    void whenNoNewSessionComesAboutTheRequestFailsWithItsReason() throws Exception {
        try (McpClient client = McpClient.connect(server)) {
            Background<Object> calling = call(client);
            JsonObject refused = server.next("tools/call");
            server.on("initialize", "error:{\"code\": -32000, \"message\": \"full\"}");
            expire(refused);
            assertThatThrownBy(calling::result).hasMessage("full");
        }
    }

    // ---- pings

    private McpClient keptAlive() throws InterruptedException {
        return McpClient.named("desk", "1")
                .keepAlive(Duration.ofSeconds(10), 3)
                .connect(server, timers);
    }

    private JsonObject nextPing() throws Exception {
        JsonObject[] ping = new JsonObject[1];
        timers.untilNextTimer( // the one that limits the ping
                () -> {
                    timers.advance(Duration.ofSeconds(10));
                    ping[0] = server.next("ping");
                });
        return ping[0];
    }

    private void missedPing() throws Exception {
        nextPing();
        timers.untilNextTimer( // the one for the next ping, where there is one
                () -> {
                    timers.advance(Duration.ofSeconds(10));
                    server.next("notifications/cancelled");
                });
    }

    @Test
    @Requirement("PING-003")
    void theServerIsPingedAtTheInterval() throws Exception {
        try (McpClient client = keptAlive()) {
            for (int i = 0; i < 3; i++) {
                timers.advance(Duration.ofSeconds(9));
                server.expectNothing();
                timers.advance(Duration.ofSeconds(1));
                JsonObject ping = server.next("ping");
                timers.awaitTimers(1);
                timers.untilNextTimer(() -> server.answer(ping, "{}"));
            }
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    @Requirement({"PING-002", "PING-004", "PING-005"})
    void aServerThatDoesNotAnswerPingsIsGivenUp() throws Exception {
        try (McpClient client = keptAlive()) {
            Background<Object> calling =
                    Background.call(
                            () ->
                                    client.withTimeout(Duration.ofHours(1))
                                            .callTool("t", JsonObject.EMPTY));
            server.next("tools/call");
            timers.awaitTimers(2); // of the call, and of the next ping
            missedPing();
            missedPing();
            nextPing();
            timers.advance(Duration.ofSeconds(10));
            server.next("notifications/cancelled");
            assertThatThrownBy(calling::result)
                    .isInstanceOf(ConnectionException.class)
                    .hasMessage("the server did not answer 3 pings in a row");
            assertThat(server.closed.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(client::ping).isInstanceOf(ConnectionException.class);
        }
    }

    @Test
    @Requirement({"PING-004", "PING-005"})
    void anAnswerBetweenForgivesMissedPingsAndAnErrorIsOne() throws Exception {
        try (McpClient client = keptAlive()) {
            for (int i = 0; i < 3; i++) {
                missedPing();
                missedPing();
                JsonObject ping = nextPing();
                timers.untilNextTimer(() -> server.refuse(ping, -32601, "what?"));
            }
            server.on("ping", "{}");
            client.ping();
        }
    }

    @Test
    void aServerThatCouldNotBeReachedIsPingedAtOnceAndEverySecondUntilItAnswers() throws Exception {
        try (McpClient client = keptAlive()) {
            Background<Object> calling =
                    Background.call(
                            () ->
                                    client.withTimeout(Duration.ofHours(1))
                                            .callTool("t", JsonObject.EMPTY));
            server.next("tools/call");
            server.session().unreachable();
            unreachedPing();
            server.session().unreachable(); // is known already
            timers.advance(Duration.ofSeconds(1));
            server.answer(server.next("ping"), "{}");
            server.expectNothing();

            await().until( // the answer may not have been seen yet
                            () -> {
                                server.session().unreachable();
                                return server.hasNext();
                            });
            for (int i = 0; i < 2; i++) {
                unreachedPing();
                timers.advance(Duration.ofSeconds(1));
            }
            server.fail(server.next("ping"), new ConnectionException("refused"));

            assertThatThrownBy(calling::result)
                    .isInstanceOf(ConnectionException.class)
                    .hasMessage("the server did not answer 3 pings in a row");
        }
    }

    @Test
    void withoutPingsNoneIsSentToAServerThatCouldNotBeReached() throws Exception {
        try (McpClient client = McpClient.named("desk", "1").connect(server, timers)) {
            server.session().unreachable();
            server.expectNothing();
            assertThat(client.revision()).isNotNull();
        }
    }

    private void unreachedPing() throws Exception {
        JsonObject ping = server.next("ping");
        timers.awaitTimers(3); // of the call, of the next regular ping, and of this one
        timers.untilNextTimer(() -> server.fail(ping, new ConnectionException("refused")));
    }

    @Test
    void aClosedClientPingsNoMore() throws Exception {
        McpClient client = keptAlive();
        client.close();
        timers.advance(Duration.ofHours(1));
        server.expectNothing();
    }

    @Test
    void aConnectionThatDoesNotEndWellKeepsNothingElseOpen() throws Exception {
        Remote broken =
                host -> {
                    Link link = server.connect(host);
                    return () -> {
                        link.close();
                        throw new IllegalStateException("expected by this test");
                    };
                };
        AtomicBoolean closed = new AtomicBoolean();
        Timers own =
                new Timers() {
                    @Override
                    public Clock clock() {
                        return timers.clock();
                    }

                    @Override
                    public Timer schedule(Duration delay, Runnable action) {
                        return timers.schedule(delay, action);
                    }

                    @Override
                    public void close() {
                        closed.set(true);
                    }
                };
        McpClient.named("desk", "1").connect(broken, own).close();
        assertThat(closed).isTrue();
    }
}
