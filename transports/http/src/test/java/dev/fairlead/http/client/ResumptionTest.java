package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.handshake;
import static dev.fairlead.http.client.RequestTest.result;
import static dev.fairlead.http.client.RequestTest.to;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.client.ScriptedServer.Received;
import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

@Timeout(90)
class ResumptionTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    private static HttpConnector quick(ScriptedServer server) {
        return to(server).reconnect(3, SHORT, SHORT.multipliedBy(4));
    }

    @Test
    @Requirement({"SSE-003", "SSE-005", "SSE-011", "SSE-014", "SSE-015", "SSE-017"})
    void aStreamThatEndsBeforeTheResponseIsResumedAfterTheWaitThatTheServerNames()
            throws Exception {
        HeldWait wait = new HeldWait(Duration.ofMillis(400));
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            if (request.is("GET")) {
                                reply.stream().event(result(1));
                            } else {
                                reply.stream().lines("id: e-1", "retry: 400", "data:", "");
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session =
                        RecordingSession.initialized(quick(server).pauses(wait))) {
            session.call(1, "tools/call");
            wait.awaitBegun();
            assertThat(server.received()).noneMatch(request -> request.is("GET"));
            wait.end();
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            Received resumed = server.await(request -> request.is("GET"));
            assertThat(resumed.header("Last-Event-ID")).isEqualTo("e-1");
            assertThat(resumed.header("Accept")).isEqualTo("text/event-stream");
            assertThat(resumed.header("MCP-Session-Id")).isEqualTo("s-1");
            assertThat(resumed.header("MCP-Protocol-Version")).isEqualTo("2025-11-25");
            assertThat(server.received())
                    .filteredOn(request -> request.calls("tools/call"))
                    .hasSize(1);
        }
    }

    @Test
    @Requirement("SSE-018")
    void theLastEventIdBelongsToItsStream() throws Exception {
        Script script =
                (request, reply) -> {
                    if (request.is("GET")) {
                        reply.stream()
                                .event(
                                        result(
                                                request.header("Last-Event-ID").equals("of-1")
                                                        ? 1
                                                        : 2));
                    } else {
                        String id = request.body().contains("\"id\":1") ? "of-1" : "of-2";
                        reply.stream().lines("id: " + id, "data:", "");
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(quick(server))) {
            session.call(1, "tools/call");
            session.call(2, "tools/call");
            assertThat(List.of(session.next(), session.next()))
                    .containsExactlyInAnyOrder(
                            new RecordingSession.Accepted(result(1)),
                            new RecordingSession.Accepted(result(2)));
            assertThat(server.received())
                    .filteredOn(request -> request.is("GET"))
                    .extracting(request -> request.header("Last-Event-ID"))
                    .containsExactlyInAnyOrder("of-1", "of-2");
        }
    }

    @Test
    @Requirement("SSE-002")
    void aServerMayLetTheClientComeBackManyTimes() throws Exception {
        AtomicInteger polls = new AtomicInteger();
        Script script =
                (request, reply) -> {
                    reply.stream();
                    int poll = polls.getAndIncrement();
                    if (poll < 8) {
                        reply.lines("id: " + poll, "retry: 1", "data:", "");
                    } else {
                        reply.event(result(1));
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(quick(server))) {
            session.call(1, "tools/call");
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            assertThat(server.received().getLast().header("Last-Event-ID")).isEqualTo("7");
        }
    }

    @Test
    @Requirement("SSE-017")
    void aStreamThatNamedNoEventCannotBeResumed() throws Exception {
        Script script =
                (request, reply) ->
                        reply.stream()
                                .event(
                                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}");
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(quick(server))) {
            session.call(1, "tools/call");
            session.next();
            assertThat(session.nextFailure(1))
                    .isExactlyInstanceOf(ConnectionException.class)
                    .hasMessage(
                            "tools/call failed: the stream of "
                                    + server.uri()
                                    + " ended before the response came and cannot be resumed");
            assertThat(server.received()).hasSize(1);
        }
    }

    @Test
    @Requirement("ROOM-056")
    void eventsThatAreGoneFailTheRequest() throws Exception {
        Script script =
                (request, reply) -> {
                    if (request.is("GET")) {
                        reply.json(
                                400,
                                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"unknown\"}}");
                    } else {
                        reply.stream().lines("id: 1", "data:", "");
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(quick(server))) {
            session.call(1, "tools/call");
            assertThat(session.nextFailure(1))
                    .hasMessage(
                            "tools/call failed: the server at "
                                    + server.uri()
                                    + " no longer has the events that were missed (status 400)");
            assertThat(server.received()).hasSize(2);
        }
    }

    @Test
    @Requirement("ROOM-046")
    void aSessionThatEndsWhileTheResponseIsAwaitedDoesNotMakeTheRequestSafeToRepeat()
            throws Exception {
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            if (request.is("GET")) {
                                reply.answer(404, "");
                            } else {
                                reply.stream().lines("id: 1", "data:", "");
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(quick(server))) {
            session.call(1, "tools/call");
            assertThat(session.nextFailure(1))
                    .isExactlyInstanceOf(ConnectionException.class)
                    .hasMessage(
                            "tools/call failed: the server at "
                                    + server.uri()
                                    + " has ended the session before the response came");
        }
    }

    @Test
    void attemptsThatFailAreRepeatedOnlySoOften() throws Exception {
        Script script =
                (request, reply) -> {
                    if (request.is("GET")) {
                        reply.answer(503, "");
                    } else {
                        reply.stream().lines("id: 1", "data:", "");
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(quick(server))) {
            session.call(1, "tools/call");
            assertThat(session.nextFailure(1))
                    .hasMessage(
                            "tools/call failed: the stream of "
                                    + server.uri()
                                    + " broke off and could not be resumed");
            assertThat(server.received()).filteredOn(request -> request.is("GET")).hasSize(3);
        }
    }

    @Test
    void anAttemptThatReachesNoServerReportsIt() throws Exception {
        AtomicReference<ScriptedServer> running = new AtomicReference<>();
        CountDownLatch started = new CountDownLatch(1);
        Script script =
                (request, reply) -> {
                    reply.stream().lines("id: 1", "data:", "");
                    started.await();
                    running.get().stop();
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(quick(server))) {
            running.set(server);
            session.call(1, "tools/call");
            assertThat(session.unreachable.availablePermits()).isZero();
            started.countDown();

            assertThat(session.unreachable.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            assertThat(session.nextFailure(1)).hasMessageContaining("could not be resumed");
        }
    }

    @Test
    @Requirement("SSE-004")
    void aServerMaySendItsClientAwayAgainAndAgainWithoutAnEvent() throws Exception {
        AtomicInteger left = new AtomicInteger(10);
        Script script =
                (request, reply) -> {
                    if (!request.is("GET")) {
                        reply.stream().lines("id: 1", "data:", "");
                    } else if (left.getAndDecrement() > 0) {
                        reply.stream().lines("retry: 1", "");
                    } else {
                        reply.stream().event(result(1));
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(quick(server))) {
            session.call(1, "tools/call");
            assertThat(session.next()).isEqualTo(new RecordingSession.Accepted(result(1)));
        }
    }

    @Test
    void afterAFailureTheNextAttemptWaitsLonger() {
        StreamPosition position =
                new StreamPosition(
                        new Reconnection(10, Duration.ofMillis(100), Duration.ofMillis(350)));
        assertThat(delays(position, 4)).containsExactly(100L, 200L, 350L, 350L);
        position.passed(new SseEvent("message", "", new byte[0]));
        assertThat(delays(position, 1)).containsExactly(100L);
    }

    @Test
    @Requirement("SSE-005")
    void noAttemptComesBeforeTheWaitThatTheServerNamed() {
        StreamPosition position =
                new StreamPosition(
                        new Reconnection(10, Duration.ofMillis(100), Duration.ofMillis(350)));
        position.retryAfter(Duration.ofMillis(20));
        assertThat(delays(position, 3)).containsExactly(20L, 200L, 350L);
        position.retryAfter(Duration.ofSeconds(9));
        assertThat(delays(position, 2)).containsExactly(9000L, 9000L);
    }

    @Test
    void aServerThatEndsEveryConnectionAtOnceIsNotAskedWithoutRest() {
        AtomicLong now = new AtomicLong();
        StreamPosition position =
                new StreamPosition(
                        new Reconnection(10, Duration.ofMillis(100), Duration.ofMillis(350)),
                        now::get);
        position.retryAfter(Duration.ZERO);
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            now.addAndGet(Duration.ofMillis(1).toNanos());
            position.passed(new SseEvent("message", "7", new byte[0]));
            Duration delay = position.nextDelay();
            now.addAndGet(delay.toNanos());
            delays.add(delay.toMillis());
        }
        assertThat(delays).containsExactly(0L, 0L, 0L, 100L, 100L, 100L);

        now.addAndGet(Duration.ofMillis(100).toNanos()); // this one lasted
        position.passed(new SseEvent("message", "8", new byte[0]));
        assertThat(position.nextDelay()).isZero();
    }

    private static List<Long> delays(StreamPosition position, int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> position.nextDelay().toMillis())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u00e9", " 7", "a\tb"})
    void anIdThatNoHeaderCanCarryResumesNothing(String id) {
        StreamPosition position = new StreamPosition(Reconnection.DEFAULT);
        position.passed(new SseEvent("message", "7", new byte[0]));
        assertThat(position.lastEventId()).contains("7");
        position.passed(new SseEvent("message", id, new byte[0]));
        assertThat(position.lastEventId()).isEmpty();
    }

    /** The server keeps its events; the network tears the stream at any byte, again and again. */
    @Test
    @Requirement({"SSE-011", "SSE-015", "SSE-017"})
    void nothingIsLostOrDoubledByCutsAtAnyByte() throws Exception {
        for (long seed = 1; seed <= 30; seed++) {
            int messages = 20;
            Random random = new Random(seed);
            Script script = torn(messages, random);
            try (ScriptedServer server = new ScriptedServer(script);
                    RecordingSession session =
                            RecordingSession.connect(
                                    to(server).reconnect(1000, Duration.ofNanos(1000), SHORT))) {
                session.call(1, "tools/call");
                for (int i = 1; i <= messages; i++) {
                    session.expect("{'jsonrpc':'2.0','method':'é','params':{'n':" + i + "}}");
                }
                session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
                session.close();
                assertThat(session.events).as("seed %d", seed).isEmpty();
                assertThat(server.received()).filteredOn(request -> request.is("POST")).hasSize(1);
            }
        }
    }

    private static Script torn(int messages, Random random) {
        return (request, reply) -> {
            reply.stream();
            int seen = 0;
            if (request.is("POST")) {
                reply.piece("id: 0\r\nretry: 0\r\ndata:\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            } else {
                seen = Integer.parseInt(request.header("Last-Event-ID"));
            }
            byte[] rest = eventsAfter(seen, messages).getBytes(StandardCharsets.UTF_8);
            for (int sent = 0; sent < rest.length; ) {
                int size = Math.min(rest.length - sent, 1 + random.nextInt(90));
                reply.piece(Arrays.copyOfRange(rest, sent, sent + size));
                sent += size;
                if (random.nextInt(3) == 0) {
                    reply.end();
                    return;
                }
            }
        };
    }

    private static String eventsAfter(int seen, int messages) {
        StringBuilder events = new StringBuilder();
        for (int i = seen + 1; i <= messages; i++) {
            events.append("id: ")
                    .append(i)
                    .append("\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"é\",\n");
            events.append("data: \"params\":{\"n\":").append(i).append("}}\n\n");
        }
        return events + "id: " + (messages + 1) + "\rdata: " + result(1) + "\r\r";
    }
}
