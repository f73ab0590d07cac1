package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.handshake;
import static dev.fairlead.http.client.RequestTest.result;
import static dev.fairlead.http.client.RequestTest.to;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.client.ScriptedServer.Received;
import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Answers of a server, as JSON and as streams. */
@Timeout(90)
class RequestAnswersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"application/json", "application/json; charset=utf-8", "Application/JSON"})
    @Requirement("HTTP-012")
    void jsonIsTaken(String type) throws Exception {
        Script script = (request, reply) -> reply.answer(200, result(1), "Content-Type: " + type);
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
        }
    }

    @Test
    @Requirement({"HTTP-012", "PROG-015", "SSE-016", "ROOM-054"})
    void aStreamBringsWhatComesBeforeTheResponseAndThenTheResponse() throws Exception {
        Script script =
                (request, reply) ->
                        reply.stream()
                                .lines(": hello", "", "event: other", "data: not ours", "")
                                .event(
                                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"n\":1}}")
                                .lines(
                                        "event: message",
                                        "data: {\"jsonrpc\":\"2.0\",",
                                        "data: \"id\":9,\"method\":\"ping\"}",
                                        "")
                                .event(result(1));
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "tools/call");
            session.expect("{'jsonrpc':'2.0','method':'notifications/progress','params':{'n':1}}");
            session.expect("{'jsonrpc':'2.0','id':9,'method':'ping'}");
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
        }
    }

    @Test
    @Requirement("HTTP-049")
    void theAnswerToTheServerIsAPostOfItsOwn() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            if (request.calls("tools/call")) {
                                reply.stream()
                                        .event(
                                                "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"roots/list\"}");
                                answered.await();
                                reply.event(result(1));
                            } else {
                                reply.accepted();
                                answered.countDown();
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.call(1, "tools/call");
            session.expect("{'jsonrpc':'2.0','id':'q','method':'roots/list'}");
            session.lastExchange.send(
                    dev.fairlead.jsonrpc.JsonRpcMessage.parse(
                            "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{}}"));
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            Received answer = server.await(request -> request.body().contains("\"q\""));
            assertThat(answer.method()).isEqualTo("POST");
            assertThat(answer.header("MCP-Session-Id")).isEqualTo("s-1");
        }
    }

    @Test
    @Requirement("SSE-017")
    void aSecondResponseIsDropped() throws Exception {
        Script script =
                (request, reply) -> {
                    if (request.calls("ping")) {
                        reply.json(result(2));
                    } else {
                        reply.stream().event(result(1)).event(result(1));
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "tools/call");
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            session.call(2, "ping");
            session.expect("{'jsonrpc':'2.0','id':2,'result':{'answer':2}}");
            session.close();
            assertThat(session.events).isEmpty();
        }
    }

    @Test
    void aStreamThatTheServerLeavesOpenAfterTheResponseIsClosed() throws Exception {
        CountDownLatch hungUp = new CountDownLatch(1);
        Script script =
                (request, reply) -> {
                    reply.stream().event(result(1));
                    reply.awaitHangUp();
                    hungUp.countDown();
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session =
                        RecordingSession.connect(to(server).gracePeriods(EndTest.SHORT))) {
            session.call(1, "tools/call");
            session.next();
            assertThat(hungUp.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void theConnectionOfAFinishedStreamIsUsedAgain() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer((request, reply) -> reply.stream().event(result(1)));
                RecordingSession session = RecordingSession.connect(to(server))) {
            for (int calls = 0; calls < 3; calls++) {
                session.call(1, "tools/call");
                session.next();
                await().until(
                                () ->
                                        ((HttpConnection) session.link()).exchanges()
                                                == 0); // its stream has ended
            }
            assertThat(server.connections()).isOne();
        }
    }

    @Test
    @Requirement("VERS-013")
    void anArrayFromAServerOf2025_03_26IsTakenApart() throws Exception {
        String batch =
                "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}," + result(1) + "]";
        Script script =
                (request, reply) -> {
                    if (request.calls("tools/call")) {
                        reply.stream().event(batch.replace("\"id\":1", "\"id\":2"));
                    } else {
                        reply.json(batch);
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.revision = Revision.V2025_03_26;
            session.call(1, "ping");
            session.expect("{'jsonrpc':'2.0','method':'notifications/progress'}");
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            session.call(2, "tools/call");
            session.expect("{'jsonrpc':'2.0','method':'notifications/progress'}");
            session.expect("{'jsonrpc':'2.0','id':2,'result':{'answer':1}}");
            session.revision = Revision.V2025_06_18;
            session.call(1, "ping");
            assertThat(session.nextFailure(1)).isInstanceOf(ConnectionException.class);
        }
    }

    /** The answers of servers that lose the type of an id (PHP, shells). */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theTextOfAnIdAnswersItsRequest(boolean stream) throws Exception {
        String text = result(1).replace("\"id\":1", "\"id\":\"1\"");
        Script script =
                (request, reply) -> {
                    if (stream) {
                        reply.stream().event(text);
                    } else {
                        reply.json(text);
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            session.expect("{'jsonrpc':'2.0','id':'1','result':{'answer':1}}");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'id':0,'result':{} | , since its id is 0 and not 1",
                "'id':'01','result':{} | , since its id is \"01\" and not 1",
                "'id':'a','error':{'code':1,'message':'m'} | , since its id is \"a\" and not 1"
            })
    void anAnswerToSomethingElseIsNamed(String other, String difference) throws Exception {
        String json = "{'jsonrpc':'2.0'," + other + "}";
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) -> reply.json(json.replace('\'', '"')));
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            assertThat(session.nextFailure(1))
                    .hasMessageMatching(
                            "ping failed: the answer of the server at .* is not the response,? "
                                    + Pattern.quote(difference.replaceFirst("^, ", "")));
        }
    }

    @Test
    void anAnswerThatIsTooLargeFailsItsRequest() throws Exception {
        Script script =
                (request, reply) -> {
                    String large =
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\""
                                    + "x".repeat(2000)
                                    + "\"}}";
                    if (request.calls("ping")) {
                        reply.json(large);
                    } else {
                        reply.stream().lines("id: 1", "data: " + large, "");
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session =
                        RecordingSession.connect(to(server).maxMessageSize(1000))) {
            session.call(1, "ping");
            assertThat(session.nextFailure(1))
                    .hasMessage(
                            "ping failed: a message of the server is larger than 1000 bytes; raise"
                                    + " HttpConnector.maxMessageSize");
            session.call(1, "tools/call");
            assertThat(session.nextFailure(1))
                    .hasMessage(
                            "tools/call failed: a message of the server is larger than 1000"
                                    + " bytes; raise HttpConnector.maxMessageSize");
        }
    }
}
