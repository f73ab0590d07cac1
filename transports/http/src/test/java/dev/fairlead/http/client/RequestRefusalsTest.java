package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.INITIALIZED;
import static dev.fairlead.http.client.RequestTest.handshake;
import static dev.fairlead.http.client.RequestTest.to;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.RecordingSession.Accepted;
import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;

/** Refused requests, and answers that are none. */
@Timeout(90)
class RequestRefusalsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "500 | answered with status 500",
                "401 | asks for authorization (status 401)",
                "403 | forbids it (status 403)",
                "404 | answered with status 404",
                "307 | answered with a redirect (status 307) that names no URL",
                "202 | answered with status 202 and no JSON or event stream"
            })
    void aStatusFailsTheRequest(int status, String reason) throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer((request, reply) -> reply.answer(status, "<html>"));
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            assertThat(session.nextFailure(1))
                    .isExactlyInstanceOf(ConnectionException.class)
                    .hasMessage("ping failed: the server at " + server.uri() + " " + reason);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"id\":1,", "\"id\":null,"})
    @Requirement({"BASE-011", "ROOM-034", "ROOM-051"})
    void anErrorInTheBodyOfARefusalIsTheAnswer(String id) throws Exception {
        Script script =
                (request, reply) ->
                        reply.json(
                                400,
                                "{\"jsonrpc\":\"2.0\","
                                        + id
                                        + "\"error\":{\"code\":-32600,\"message\":\"no\"}}");
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            session.expect("{'jsonrpc':'2.0','id':1,'error':{'code':-32600,'message':'no'}}");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void aServerThatTakesNoRequestsNowSaysNothingOfWhatWasAskedFor(int status) throws Exception {
        String busy = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"busy\"}}";
        try (ScriptedServer server =
                        new ScriptedServer((request, reply) -> reply.json(status, busy));
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            session.expect(
                    "{'jsonrpc':'2.0','id':1,'error':{'code':-32000,'message':'busy',"
                            + "'data':{'retryable':true}}}");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3, '', 3000",
        "0, '', 0",
        "3, ',\"data\":{\"retryAfterMs\":2100}', 2100", // more precise than the header
    })
    void theTimeOfRetryAfterIsThatOfTheError(String header, String data, long millis)
            throws Exception {
        assertThat(busy(header, data)).hasValue(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "Wed, 21 Oct 2015 07:28:00 GMT", "9999999999", "x"})
    void aRetryAfterThatIsNoNumberOfSecondsIsIgnored(String header) throws Exception {
        assertThat(busy(header, "")).isEmpty();
    }

    private Optional<Duration> busy(String header, String data) throws Exception {
        String busy =
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"busy\""
                        + data
                        + "}}";
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) ->
                                        reply.json(429, busy, "Retry-After: " + header));
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            String refused = ((Accepted) session.next()).json();
            return RetryableError.retryAfter(
                    ((JsonRpcErrorResponse) JsonRpcMessage.parse(refused)).error());
        }
    }

    @Test
    @Requirement("BASE-011")
    void anErrorWithoutIdBelongsToTheRequestThatItAnswers() throws Exception {
        String error = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,\"message\":\"no\"}}";
        Script script =
                (request, reply) -> {
                    if (request.calls("ping")) {
                        reply.json(error);
                    } else {
                        reply.stream().event(error);
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            session.expect("{'jsonrpc':'2.0','id':1,'error':{'code':-32603,'message':'no'}}");
            session.call(2, "tools/call");
            session.expect("{'jsonrpc':'2.0','id':2,'error':{'code':-32603,'message':'no'}}");
        }
    }

    @Test
    void theErrorOfAnotherRequestIsNotTheAnswer() throws Exception {
        Script script =
                (request, reply) ->
                        reply.json(
                                400,
                                "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32600,\"message\":\"no\"}}");
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            assertThat(session.nextFailure(1)).hasMessageEndingWith("answered with status 400");
        }
    }

    @Test
    @Requirement({"HTTP-039", "ROOM-046"})
    void aSessionThatIsGoneFailsTheRequestAsExpired() throws Exception {
        Script script =
                handshake(
                        "secret-id",
                        (request, reply) ->
                                reply.json(
                                        404,
                                        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32001,\"message\":\"gone\"},\"id\":null}"));
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.call(1, "ping");
            assertThat(session.nextFailure(1))
                    .isInstanceOf(SessionExpiredException.class)
                    .hasMessage(
                            "ping failed: the server at "
                                    + server.uri()
                                    + " has ended the session");
            session.close();
            assertThat(server.received()).noneMatch(request -> request.is("DELETE"));
        }
    }

    private static final String ERROR =
            "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%s,\"message\":\"%s\"}}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | null | -32000 | Bad Request: No valid session ID provided | false",
                "400 | null | -32000 | Bad Request: Server not initialized | false",
                "400 | 1 | -32602 | Invalid or expired session secret-id | true",
                "400 | 1 | -32001 | Unknown MCP-Session-Id, please re-initialize | true",
                "400 | null | -32000 | No active transport for session secret-id | false",
                "400 | null | -32000 | Mcp-Session-Id header is required | false",
                "400 | null | -32000 | Session timed out | false",
                "400 | null | -32000 | Session expired due to inactivity | false",
                "400 | null | -32000 | Unable to find session secret-id | false",
                "400 | 1 | -32000 | Session has been deleted, you must call initialize again |"
                        + " true",
                "410 | null | -32000 | Gone | false",
                "200 | 1 | -32001 | Session not found | true",
                "200 | 1 | -32001 | Session with id 'secret-id' does not exist | true"
            })
    void aSessionThatIsGoneInOtherWordsIsExpiredToo(
            int status, String id, int code, String message, boolean mayHaveRun) throws Exception {
        isExpired(
                (request, reply) -> reply.json(status, ERROR.formatted(id, code, message)),
                mayHaveRun);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Invalid or missing session ID",
                "{\"error\": \"Session not found\"}",
                "{\"detail\": \"Invalid session ID\"}",
                "{\"error\": {\"code\": 400, \"message\": \"Session expired\"}}",
                "{\"message\": \"Session not found\", \"error\": \"Bad Request\"}",
                "{\"title\": \"Bad Request\", \"detail\": \"Could not find session\"}"
            })
    void aTextThatIsNoMessageIsRead(String text) throws Exception {
        for (String type : List.of("text/plain", "application/problem+json")) {
            isExpired((request, reply) -> reply.answer(400, text, "Content-Type: " + type), false);
        }
    }

    @Test
    void anErrorOnAStreamCounts() throws Exception {
        String error = ERROR.formatted(1, -32001, "Session expired");
        isExpired((request, reply) -> reply.stream().event(error).end(), true);
    }

    private void isExpired(Script lost, boolean mayHaveRun) throws Exception {
        try (ScriptedServer server = new ScriptedServer(handshake("secret-id", lost));
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.call(1, "ping");
            assertThat(session.nextFailure(1))
                    .isInstanceOfSatisfying(
                            SessionExpiredException.class,
                            expired -> assertThat(expired.mayHaveRun()).isEqualTo(mayHaveRun))
                    .hasMessageStartingWith(
                            "ping failed: the server at "
                                    + server.uri()
                                    + " has ended the session");
        }
    }

    /** A tool has sessions of its own, a login is no session, and long texts are no report. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | null | -32000 | Bad Request",
                "400 | 1 | -32602 | Browser session not found",
                "400 | 1 | -32602 | The session of user 7 expired yesterday",
                "400 | null | -32000 | Invalid request",
                "200 | 1 | -32000 | Session not found",
                "200 | 1 | -32001 | Browser session not found",
                "200 | 1 | -32001 | Session",
                "401 | null | -32001 | Unauthorized: Session not found",
                "403 | null | -32000 | Session not found",
                "500 | null | -32000 | Session not found"
            })
    void otherErrorsLeaveTheSession(int status, String id, int code, String message)
            throws Exception {
        Script script =
                handshake(
                        "secret-id",
                        (request, reply) -> reply.json(status, ERROR.formatted(id, code, message)));
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.call(1, "ping");
            if (status == 401) {
                assertThat(session.nextFailure(1)).isNotInstanceOf(SessionExpiredException.class);
            } else {
                session.expect(ERROR.formatted(1, code, message));
            }
            session.close();
            assertThat(server.received()).anyMatch(request -> request.is("DELETE"));
        }
    }

    @Test
    void aLongTextIsNoReport() throws Exception {
        Script script =
                handshake(
                        "secret-id",
                        (request, reply) ->
                                reply.json(
                                        400,
                                        ERROR.formatted(
                                                1, -32001, "session not found ".repeat(10_000))));
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.call(1, "ping");
            assertThat(session.nextFailure(1)).isNotInstanceOf(SessionExpiredException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "no json",
                "{\"jsonrpc\":\"2.0\",\"id\":\"01\",\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}"
            })
    void aBodyThatIsNotTheResponseFailsTheRequest(String body) throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.json(body));
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            assertThat(session.nextFailure(1)).isExactlyInstanceOf(ConnectionException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"result\":7", "\"result\":{\"ratio\":NaN}", "\"extra\":1"})
    void aResponseInAStreamThatIsNoMessageFailsTheRequest(String member) throws Exception {
        Script script =
                (request, reply) -> {
                    reply.stream()
                            .event("nonsense")
                            .event("{\"jsonrpc\":\"2.0\",\"id\":1," + member + "}");
                    reply.awaitHangUp();
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            assertThat(session.nextFailure(1))
                    .hasMessageStartingWith("ping failed: the answer of the server at http://")
                    .hasMessageContaining(" is not a JSON-RPC message: ");
        }
    }

    @Test
    void theLogExplainsWhyANotificationWasNotDelivered() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.answer(202, ""));
                RecordingSession session = RecordingSession.connect(to(server));
                Logged log = new Logged(Posts.class.getName(), Level.WARNING)) {
            server.stop();
            session.send("{'jsonrpc':'2.0','method':'n'}");
            session.call(1, "ping"); // is sent behind it
            session.nextFailure(1);
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARNING n was not delivered: the server at http://")
                    .contains(" cannot be reached: connection refused; nothing listens on");
        }
    }

    @Test
    @Requirement("HTTP-033")
    void aSessionIdOutsideVisibleAsciiIsRefused() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) ->
                                        reply.json(INITIALIZED, "MCP-Session-Id: a b"));
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.send("{'jsonrpc':'2.0','id':0,'method':'initialize','params':{}}");
            assertThat(session.nextFailure(0))
                    .hasMessageStartingWith("a session id must be visible ASCII characters");
        }
    }

    @Test
    void anEmptySessionIdIsNone() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) -> reply.json(INITIALIZED, "MCP-Session-Id: "));
                RecordingSession session = RecordingSession.initialized(to(server))) {
            server.await(request -> request.body().contains("notifications/initialized"));

            assertThat(server.received())
                    .allMatch(request -> request.header("MCP-Session-Id") == null);
        }
    }

    @Test
    void aServerThatIsNotThereFailsTheRequest() throws Exception {
        try (Socket reserved = new Socket()) { // has a port, without a listener
            reserved.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            String uri = "http://127.0.0.1:" + reserved.getLocalPort() + "/mcp";
            try (RecordingSession session = RecordingSession.connect(Http.to(uri + "?key=x"))) {
                session.call(1, "ping");
                assertThat(session.nextFailure(1))
                        .hasMessage(
                                "ping failed: the server at "
                                        + uri
                                        + " cannot be reached: connection refused; nothing"
                                        + " listens on port "
                                        + reserved.getLocalPort());
            }
        }
    }

    @Test
    void aConnectionThatBreaksBeforeTheAnswerFailsTheRequest() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.cut());
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");
            assertThat(session.nextFailure(1))
                    .hasMessage(
                            "ping failed: the connection to "
                                    + server.uri()
                                    + " was lost before the response came");
        }
    }
}
