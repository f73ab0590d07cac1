package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.INITIALIZED;
import static dev.fairlead.http.client.RequestTest.handshake;
import static dev.fairlead.http.client.RequestTest.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.ScriptedServer.Received;
import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;

@Timeout(90)
class ListeningTest {
    private static final String CHANGED =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";

    private static HttpConnector to(ScriptedServer server) {
        return Http.to(server.uri())
                .gracePeriods(RequestTest.PATIENT)
                .reconnect(3, Duration.ofMillis(5), Duration.ofMillis(20));
    }

    @Test
    @Requirement({"HTTP-020", "HTTP-021", "HTTP-035", "HTTP-042"})
    void whatTheServerSendsUnaskedComesOnAStreamOpenedByGet() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            reply.stream().event(CHANGED);
                            over.await();
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            assertThat(session.next()).isEqualTo(new RecordingSession.Accepted(CHANGED));
            Received get = server.await(request -> request.is("GET"));
            assertThat(get.header("Accept")).isEqualTo("text/event-stream");
            assertThat(get.header("MCP-Session-Id")).isEqualTo("s-1");
            assertThat(get.header("MCP-Protocol-Version")).isEqualTo("2025-11-25");
            assertThat(get.headers()).doesNotContainKey("Last-Event-ID");
            over.countDown();
        }
    }

    /** Exceptions that a supplier of headers, or an authorization, may throw for a while. */
    static List<RuntimeException> passingFailures() {
        return List.of(
                new IllegalStateException("there is no token just now"),
                new AuthorizationException(
                        "the login failed: no route", new IOException("no route")));
    }

    @ParameterizedTest
    @MethodSource("passingFailures")
    void aStreamWhoseHeadersFailForAWhileIsOpenedAgain(RuntimeException failure) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger streams = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            if (streams.incrementAndGet() == 1) {
                                failures.set(2);
                                reply.stream();
                            } else {
                                reply.stream().event(CHANGED);
                                over.await();
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session =
                        RecordingSession.initialized(
                                to(server)
                                        .headers(
                                                () -> {
                                                    if (failures.getAndUpdate(
                                                                    left -> Math.max(0, left - 1))
                                                            > 0) {
                                                        throw failure;
                                                    }
                                                    return Map.of();
                                                }))) {
            assertThat(session.next()).isEqualTo(new RecordingSession.Accepted(CHANGED));
            over.countDown();
        }
    }

    @Test
    void theStreamIsOpenedOnlyWhenInitializedWasAccepted() throws Exception {
        Script script =
                (request, reply) -> {
                    if (request.calls("initialize")) {
                        reply.json(INITIALIZED);
                    } else if (request.calls("ping")) {
                        reply.json(result(1));
                    } else {
                        reply.answer(400, "");
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.call(1, "ping");
            session.next();
            assertThat(server.received()).noneMatch(request -> request.is("GET"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405, 401, 200})
    @Requirement("HTTP-023")
    void aServerWithoutSuchAStreamIsLeftAlone(int status) throws Exception {
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            if (request.is("GET")) {
                                reply.answer(status, "");
                            } else {
                                reply.json(result(1));
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            server.await(request -> request.is("GET"));
            session.call(1, "ping");
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            session.close();
            assertThat(server.received()).filteredOn(request -> request.is("GET")).hasSize(1);
        }
    }

    @Test
    @Requirement({"HTTP-027", "SSE-005", "SSE-006", "SSE-011"})
    void aStreamThatEndsIsOpenedAgainWhereItEnded() throws Exception {
        AtomicInteger count = new AtomicInteger();
        HeldWait wait = new HeldWait(Duration.ofMillis(300));
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            if (count.getAndIncrement() == 0) {
                                reply.stream().lines("id: 41", "retry: 300", "data:", "");
                            } else {
                                reply.stream().event(CHANGED);
                                reply.awaitHangUp();
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server).pauses(wait))) {
            wait.awaitBegun();
            assertThat(server.received()).filteredOn(request -> request.is("GET")).hasSize(1);
            wait.end();
            assertThat(session.next()).isEqualTo(new RecordingSession.Accepted(CHANGED));
            Received again = server.await(request -> request.is("GET"), 2);
            assertThat(again.header("Last-Event-ID")).isEqualTo("41");
        }
    }

    @Test
    @Requirement("HTTP-039")
    void aSessionThatIsGoneBetweenRequestsIsReported() throws Exception {
        AtomicInteger count = new AtomicInteger();
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            if (count.getAndIncrement() == 0) {
                                reply.stream().event(CHANGED);
                            } else {
                                reply.answer(404, "");
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.next();
            assertThat(session.next())
                    .isEqualTo(
                            new RecordingSession.Expired(
                                    "GET failed: the server at "
                                            + server.uri()
                                            + " has ended the session"));
            session.close();
            assertThat(server.received()).filteredOn(request -> request.is("GET")).hasSize(2);
            assertThat(server.received()).noneMatch(request -> request.is("DELETE"));
        }
    }

    @Test
    @Requirement("HTTP-039")
    void aSessionThatIsGoneForANotificationIsReported() throws Exception {
        Script script = handshake("s-1", (request, reply) -> reply.answer(404, ""));
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session =
                        RecordingSession.initialized(to(server).listening(false))) {
            session.send("{'jsonrpc':'2.0','method':'notifications/roots/list_changed'}");
            assertThat(session.next())
                    .isEqualTo(
                            new RecordingSession.Expired(
                                    "notifications/roots/list_changed failed: the server at "
                                            + server.uri()
                                            + " has ended the session"));
        }
    }

    @Test
    void aStreamWhoseEventsAreGoneStartsFromTheBeginning() throws Exception {
        AtomicInteger count = new AtomicInteger();
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            switch (count.getAndIncrement()) {
                                case 0 -> reply.stream().lines("id: 41", "data:", "");
                                case 1 -> reply.answer(400, "");
                                default -> {
                                    reply.stream().event(CHANGED);
                                    reply.awaitHangUp();
                                }
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            assertThat(session.next()).isEqualTo(new RecordingSession.Accepted(CHANGED));
            assertThat(server.await(request -> request.is("GET"), 2).header("Last-Event-ID"))
                    .isEqualTo("41");
            assertThat(server.await(request -> request.is("GET"), 3).headers())
                    .doesNotContainKey("Last-Event-ID");
        }
    }

    @Test
    void aServerThatIsBackIsListenedToAgain() throws Exception {
        AtomicInteger count = new AtomicInteger();
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            int attempt = count.getAndIncrement();
                            if (attempt < 3) {
                                reply.answer(503, "");
                            } else if (attempt < 6) {
                                reply.cut();
                            } else {
                                reply.stream().event(CHANGED);
                                reply.awaitHangUp();
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            assertThat(session.next()).isEqualTo(new RecordingSession.Accepted(CHANGED));
        }
    }

    @Test
    void aServerThatIsAwayIsReportedOnce() throws Exception {
        AtomicInteger count = new AtomicInteger();
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            int attempt = count.getAndIncrement();
                            if (attempt == 0) {
                                reply.stream();
                            } else if (attempt < 4) {
                                reply.cut();
                            } else {
                                reply.stream().event(CHANGED);
                                reply.awaitHangUp();
                            }
                        });
        try (Logged logged = new Logged(ListeningStream.class.getName(), Level.INFO);
                ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            assertThat(session.next()).isEqualTo(new RecordingSession.Accepted(CHANGED));
            assertThat(logged.lines())
                    .containsExactly(
                            "WARNING The server sends no changes at the moment; trying again: the"
                                    + " connection to "
                                    + server.uri()
                                    + " was lost before the response came");
        }
    }

    @Test
    void whatIsTooLargeIsSkipped() throws Exception {
        AtomicInteger count = new AtomicInteger();
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            reply.stream();
                            if (count.getAndIncrement() == 0) {
                                reply.lines("id: 1", "data:", "", "data: " + "x".repeat(2000), "");
                            } else {
                                reply.event(CHANGED);
                            }
                            reply.awaitHangUp();
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session =
                        RecordingSession.initialized(to(server).maxMessageSize(1000))) {
            assertThat(session.next()).isEqualTo(new RecordingSession.Accepted(CHANGED));
            assertThat(server.await(request -> request.is("GET"), 2).headers())
                    .doesNotContainKey("Last-Event-ID");
        }
    }

    @Test
    void aResponseOnTheStreamSettlesItsRequestOnce() throws Exception {
        CountDownLatch hungUp = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1);
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            reply.stream();
                            if (request.is("GET")) {
                                called.await();
                                reply.event(result(1));
                                reply.awaitHangUp();
                            } else {
                                reply.lines(": open", "");
                                called.countDown();
                                reply.awaitHangUp();
                                hungUp.countDown();
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session =
                        RecordingSession.initialized(to(server).gracePeriods(EndTest.SHORT))) {
            session.call(1, "tools/call");
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            assertThat(hungUp.await(60, TimeUnit.SECONDS)).isTrue();
            session.close();
            assertThat(session.events).isEmpty();
        }
    }

    @Test
    void withoutListeningNoStreamIsOpened() throws Exception {
        Script script = handshake("s-1", (request, reply) -> reply.json(result(1)));
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session =
                        RecordingSession.initialized(to(server).listening(false))) {
            session.call(1, "ping");
            session.next();
            assertThat(server.received()).noneMatch(request -> request.is("GET"));
        }
    }
}
