package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.INITIALIZED;
import static dev.fairlead.http.client.RequestTest.WITHOUT_SESSION;
import static dev.fairlead.http.client.RequestTest.result;
import static dev.fairlead.http.client.RequestTest.to;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.CountDownLatch;

/** The order of requests and notifications. */
@Timeout(90)
class RequestOrderTest {
    /** A request without a session waits for nothing and overtakes messages that have to wait. */
    @Test
    void whatFollowsInitializedWaitsUntilItWasAccepted() throws Exception {
        CountDownLatch accept = new CountDownLatch(1);
        Script script =
                (request, reply) -> {
                    if (request.calls("initialize")) {
                        reply.json(INITIALIZED);
                    } else if (request.calls("notifications/initialized")) {
                        accept.await();
                        reply.accepted();
                    } else {
                        reply.json(result(request.calls("ping") ? 1 : 2));
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.call(1, "ping");
            server.await(request -> request.calls("notifications/initialized"));
            session.send(WITHOUT_SESSION.formatted(2));
            session.expect("{'jsonrpc':'2.0','id':2,'result':{'answer':2}}");
            assertThat(server.received()).noneMatch(request -> request.calls("ping"));
            accept.countDown();
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
        }
    }

    @Test
    void aRequestWithoutASessionWaitsForNoNotification() throws Exception {
        CountDownLatch accept = new CountDownLatch(1);
        Script script =
                (request, reply) -> {
                    if (request.calls("notifications/custom")) {
                        accept.await();
                        reply.accepted();
                    } else {
                        reply.json(result(1));
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.send("{'jsonrpc':'2.0','method':'notifications/custom'}");
            server.await(request -> request.calls("notifications/custom"));
            session.send(WITHOUT_SESSION.formatted(1));
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            assertThat(server.await(request -> request.calls("tools/call")).headers())
                    .containsEntry("Mcp-Method", "tools/call")
                    .containsEntry("Mcp-Name", "t")
                    .containsEntry("MCP-Protocol-Version", "2026-07-28");
            accept.countDown();
        }
    }

    @Test
    void notificationsArriveInTheirOrder() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.accepted());
                RecordingSession session = RecordingSession.connect(to(server))) {
            for (int i = 0; i < 50; i++) {
                session.send("{'jsonrpc':'2.0','method':'n','params':{'n':" + i + "}}");
            }
            server.await(request -> true, 50);
            for (int i = 0; i < 50; i++) {
                assertThat(server.received().get(i).body()).contains("{\"n\":" + i + "}");
            }
        }
    }

    @Test
    @Requirement("HTTP-028")
    void noRequestWaitsForAnother() throws Exception {
        CountDownLatch all = new CountDownLatch(64);
        Script script =
                (request, reply) -> {
                    all.countDown();
                    all.await();
                    reply.json(
                            result(
                                    Long.parseLong(
                                            request.body().replaceAll(".*\"id\":(\\d+).*", "$1"))));
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            for (int i = 0; i < 64; i++) {
                session.call(i, "ping");
            }
            for (int i = 0; i < 64; i++) {
                assertThat(session.next()).isInstanceOf(RecordingSession.Accepted.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"ok\":true}", "no json"})
    void aBodyInAnswerToANotificationIsIgnored(String body) throws Exception {
        Script script =
                (request, reply) -> {
                    if (request.calls("ping")) {
                        reply.json(result(1));
                    } else {
                        reply.json(body);
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.send("{'jsonrpc':'2.0','method':'notifications/initialized'}");
            session.call(1, "ping");
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
        }
    }

    @Test
    void aNotificationThatIsRefusedDoesNotStopWhatFollows() throws Exception {
        Script script =
                (request, reply) -> {
                    if (request.calls("ping")) {
                        reply.json(result(1));
                    } else {
                        reply.answer(500, "");
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.send("{'jsonrpc':'2.0','method':'n'}");
            session.call(1, "ping");
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
        }
    }

    @Test
    void anInterruptOfTheSenderDisturbsNothingAndStays() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.json(result(1)));
                RecordingSession session = RecordingSession.connect(to(server))) {
            Thread.currentThread().interrupt();
            session.call(1, "ping");
            assertThat(Thread.interrupted()).isTrue();
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
        }
    }
}
