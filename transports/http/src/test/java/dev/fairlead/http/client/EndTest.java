package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.handshake;
import static dev.fairlead.http.client.RequestTest.result;
import static dev.fairlead.http.client.RequestTest.to;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.ScriptedServer.Received;
import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;

@Timeout(90)
class EndTest {
    /** Waits long for the acceptance of messages, and not at all for the rest. */
    static final GracePeriods SHORT =
            new GracePeriods(
                    RequestTest.PATIENT.acknowledgement(),
                    Duration.ofMillis(50),
                    Duration.ofMillis(50),
                    Duration.ofMillis(50));

    @Nested
    class Cancelling {
        @Test
        @Requirement({"CANC-015", "HTTP-019", "ROOM-041"})
        void aStreamThatEndsWithoutResponseAfterACancellationIsQuiet() throws Exception {
            CountDownLatch cancelled = new CountDownLatch(1);
            Script script =
                    handshake(
                            "s-1",
                            (request, reply) -> {
                                if (request.calls("tools/call")) {
                                    reply.stream().lines("id: 1", "data:", "");
                                    cancelled.await();
                                } else if (request.calls("notifications/cancelled")) {
                                    cancelled.countDown();
                                    reply.accepted();
                                } else {
                                    reply.json(result(2));
                                }
                            });
            try (ScriptedServer server = new ScriptedServer(script);
                    RecordingSession session = RecordingSession.initialized(to(server))) {
                session.call(1, "tools/call");
                server.await(request -> request.calls("tools/call"));
                session.cancel(1);
                session.call(2, "ping");
                session.expect("{'jsonrpc':'2.0','id':2,'result':{'answer':2}}");
                session.close();
                assertThat(session.events).isEmpty();
                assertThat(server.received()).noneMatch(request -> request.is("GET"));
            }
        }

        @Test
        @Requirement("CANC-014")
        void whatTheServerWithdrawsWhenItKnowsStillArrives() throws Exception {
            CountDownLatch pinged = new CountDownLatch(1);
            Script script =
                    (request, reply) -> {
                        if (request.calls("tools/call")) {
                            reply.stream().lines(": open", "");
                            pinged.await(); // so the client has handled the 202
                            reply.lines("data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}", "");
                        } else if (request.calls("notifications/cancelled")) {
                            reply.accepted();
                        } else {
                            reply.json(result(2));
                            pinged.countDown();
                        }
                    };
            try (ScriptedServer server = new ScriptedServer(script);
                    RecordingSession session = RecordingSession.connect(to(server))) {
                session.call(1, "tools/call");
                server.await(request -> request.calls("tools/call"));
                session.cancel(1);
                session.call(2, "ping");
                assertThat(List.of(session.next().toString(), session.next().toString()))
                        .anyMatch(event -> event.contains("\"answer\":2"))
                        .anyMatch(event -> event.contains("\"method\":\"n\""));
            }
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void theExchangeOfACancelledRequestIsClosedOnceTheServerKnows(boolean streaming)
                throws Exception {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch hungUp = new CountDownLatch(1);
            HeldWait linger = new HeldWait(RequestTest.PATIENT.linger());
            Script script =
                    (request, reply) -> {
                        if (request.calls("tools/call")) {
                            if (streaming) {
                                reply.stream().lines(": open", "");
                            }
                            begun.countDown();
                            reply.awaitHangUp();
                            hungUp.countDown();
                        } else {
                            reply.accepted();
                        }
                    };
            try (ScriptedServer server = new ScriptedServer(script);
                    RecordingSession session =
                            RecordingSession.connect(to(server).pauses(linger))) {
                session.call(1, "tools/call");
                assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
                session.cancel(1);
                linger.awaitBegun();
                if (!streaming) { // a stream is not left open for longer, also after events
                    assertThat(server.received())
                            .anyMatch(request -> request.calls("notifications/cancelled"));
                }
                server.await(request -> request.calls("notifications/cancelled"));
                assertThat(hungUp.getCount()).isOne();
                linger.end();
                assertThat(hungUp.await(60, TimeUnit.SECONDS)).isTrue();
                session.close();
                assertThat(session.events).isEmpty();
            }
        }

        @Test
        @Requirement({"CANC-009", "ROOM-041"})
        void aResponseAfterTheCancellationIsIgnored() throws Exception {
            CountDownLatch answered = new CountDownLatch(1);
            Script script =
                    (request, reply) -> {
                        if (request.calls("tools/call")) {
                            reply.stream().lines(": open", "");
                            answered.await();
                            reply.event(result(1));
                            reply.event("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
                        } else {
                            answered.await(); // the cancellation is under way
                            reply.accepted();
                        }
                    };
            try (ScriptedServer server = new ScriptedServer(script);
                    RecordingSession session = RecordingSession.connect(to(server))) {
                session.call(1, "tools/call");
                server.await(request -> request.calls("tools/call"));
                session.cancel(1);
                server.await(request -> request.calls("notifications/cancelled"));
                answered.countDown();
                session.expect(
                        "{'jsonrpc':'2.0','method':'n'}"); // earlier messages are not delivered
                session.close();
                assertThat(session.events).isEmpty();
            }
        }
    }

    @Nested
    class Closing {
        @Test
        @Requirement({"HTTP-040", "LIFE-026", "LIFE-027"})
        void theSessionIsDeletedAndNothingIsLeft() throws Exception {
            CountDownLatch streams = new CountDownLatch(2);
            CountDownLatch hungUp = new CountDownLatch(2);
            Script script =
                    handshake(
                            "s-1",
                            (request, reply) -> {
                                reply.stream().lines("id: 1", "data:", "");
                                streams.countDown();
                                reply.awaitHangUp();
                                hungUp.countDown();
                            });
            Set<Thread> before = selectors();
            try (ScriptedServer server = new ScriptedServer(script)) {
                RecordingSession session = RecordingSession.initialized(to(server).listening(true));
                session.call(1, "tools/call");
                assertThat(streams.await(60, TimeUnit.SECONDS)).isTrue();
                session.close();

                assertThat(session.closed.getCount()).isZero();
                assertThat(hungUp.await(60, TimeUnit.SECONDS)).isTrue();
                Received last = server.received().getLast();
                assertThat(last.method()).isEqualTo("DELETE");
                assertThat(last.header("MCP-Session-Id")).isEqualTo("s-1");
                assertThat(last.header("MCP-Protocol-Version")).isEqualTo("2025-11-25");
                awaitNoSelectorBut(before);
                assertThatThrownBy(() -> session.call(2, "ping"))
                        .isInstanceOf(ConnectionException.class)
                        .hasMessage("the connection is closed");
                session.close();
                assertThat(server.received())
                        .filteredOn(request -> request.is("DELETE"))
                        .hasSize(1);
            }
        }

        /** The threads of clients. */
        private static Set<Thread> selectors() {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("HttpClient-"))
                    .collect(Collectors.toSet());
        }

        private static void awaitNoSelectorBut(Set<Thread> before) throws InterruptedException {
            Set<Thread> left = selectors();
            left.removeAll(before);
            for (Thread selector : left) {
                assertThat(selector.join(Duration.ofSeconds(60))).isTrue();
            }
        }

        @Test
        void withoutASessionNothingIsDeleted() throws Exception {
            try (ScriptedServer server =
                            new ScriptedServer((request, reply) -> reply.json(result(1)));
                    RecordingSession session = RecordingSession.connect(to(server))) {
                session.call(1, "ping");
                session.next();
                session.close();
                assertThat(server.received()).hasSize(1);
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {200, 204, 400, 404, 405, 500})
        @Requirement({"HTTP-041", "ROOM-058"})
        void anyAnswerToTheDeletionWillDo(int status) throws Exception {
            Script script =
                    (request, reply) -> {
                        if (request.is("DELETE")) {
                            reply.answer(status, "");
                        } else {
                            handshake("s-1", (other, none) -> {}).answer(request, reply);
                        }
                    };
            try (ScriptedServer server = new ScriptedServer(script)) {
                RecordingSession session = RecordingSession.initialized(to(server));
                session.close();
                assertThat(server.received())
                        .filteredOn(request -> request.is("DELETE"))
                        .hasSize(1);
            }
        }

        @Test
        void aServerThatNeverAnswersDoesNotHoldUpTheClosing() throws Exception {
            CountDownLatch over = new CountDownLatch(1);
            Script script =
                    (request, reply) -> {
                        if (request.calls("initialize")) {
                            handshake("s-1", (other, none) -> {}).answer(request, reply);
                        } else {
                            over.await();
                        }
                    };
            try (ScriptedServer server = new ScriptedServer(script)) {
                RecordingSession session =
                        RecordingSession.initialized(to(server).gracePeriods(SHORT));
                session.send("{'jsonrpc':'2.0','method':'n'}");
                session.close(); // the time limit of the test ends a wait that nothing else ends
                assertThat(over.getCount()).isOne();
                over.countDown();
            }
        }

        @Test
        void whatWasSentBeforeGoesOut() throws Exception {
            try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.accepted())) {
                RecordingSession session = RecordingSession.connect(to(server));
                for (int i = 0; i < 20; i++) {
                    session.send("{'jsonrpc':'2.0','method':'n'}");
                }
                session.context.close();
                assertThat(session.closed.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(server.received()).hasSize(20);
            }
        }

        @Test
        void anInterruptDoesNotShortenTheClosingAndStays() throws Exception {
            try (ScriptedServer server =
                    new ScriptedServer(handshake("s-1", (request, reply) -> {}))) {
                RecordingSession session = RecordingSession.initialized(to(server));
                Thread.currentThread().interrupt();
                session.close();
                assertThat(Thread.interrupted()).isTrue();
                assertThat(server.received().getLast().method()).isEqualTo("DELETE");
            }
        }
    }

    @Test
    @Requirement("HTTP-034")
    void theSessionIdIsNeitherLoggedNorInMessagesNorInUrls() throws Exception {
        StringBuffer log = new StringBuffer();
        Handler handler = new Recorder(log);
        Logger logger = Logger.getLogger("dev.fairlead.http");
        Level level = logger.getLevel();
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
        Script script =
                handshake(
                        "top-secret",
                        (request, reply) -> {
                            if (request.is("GET") || request.calls("n")) {
                                reply.answer(500, "");
                            } else if (request.calls("tools/call")) {
                                reply.answer(404, "");
                            } else {
                                reply.cut();
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(Http.to(server.uri()))) {
            session.send("{'jsonrpc':'2.0','method':'n'}");
            session.call(1, "ping");
            String message = session.nextFailure(1).toString();
            session.call(2, "tools/call");
            message += session.nextFailure(2);
            session.close();
            assertThat(log.toString()).contains("tools/call").doesNotContain("top-secret");
            assertThat(message).doesNotContain("top-secret");
            assertThat(List.copyOf(server.received()))
                    .extracting(Received::target)
                    .containsOnly("/mcp");
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(level);
        }
    }

    private static final class Recorder extends Handler {
        private final StringBuffer log;

        Recorder(StringBuffer log) {
            this.log = log;
            setLevel(Level.ALL);
        }

        @Override
        public void publish(LogRecord entry) {
            log.append(new SimpleFormatter().format(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
