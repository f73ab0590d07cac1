package dev.fairlead.http.client;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.RecordingSession.Accepted;
import dev.fairlead.http.client.ScriptedServer.Received;
import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.regex.Pattern;

@Timeout(90)
class RequestTest {
    static final GracePeriods PATIENT =
            new GracePeriods(
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(1));

    static final String INITIALIZED = "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}";

    /**
     * A server that shakes hands, with a session of this id, and handles all other requests by the
     * script.
     */
    static Script handshake(String sessionId, Script rest) {
        return (request, reply) -> {
            if (request.calls("initialize")) {
                reply.json(INITIALIZED, "MCP-Session-Id: " + sessionId);
            } else if (request.calls("notifications/initialized")) {
                reply.accepted();
            } else if (request.is("DELETE")) {
                reply.answer(204, "");
            } else {
                rest.answer(request, reply);
            }
        };
    }

    static String result(long id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"answer\":" + id + "}}";
    }

    private static final String WITHOUT_SESSION =
            "{'jsonrpc':'2.0','id':%s,'method':'tools/call','params':{'name':'t','_meta':"
                    + "{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}}}";

    /** A client with long timeouts, so that the result does not depend on speed. */
    static HttpConnector to(ScriptedServer server) {
        return Http.to(server.uri()).listening(false).gracePeriods(PATIENT);
    }

    @Nested
    class Headers {
        @Test
        @Requirement({
            "HTTP-006",
            "HTTP-007",
            "HTTP-008",
            "HTTP-035",
            "HTTP-042",
            "HTTP-043",
            "LIFE-014",
            "ROOM-047"
        })
        void sessionAndVersionAreNamedOnEverythingAfterInitialize() throws Exception {
            try (ScriptedServer server =
                            new ScriptedServer(
                                    handshake("s-1", (request, reply) -> reply.json(result(1))));
                    RecordingSession session = RecordingSession.initialized(to(server))) {
                session.call(1, "ping");
                session.next();
                session.close();

                List<Received> received = server.received();
                assertThat(received)
                        .extracting(Received::method)
                        .containsExactly("POST", "POST", "POST", "DELETE");
                assertThat(received.get(0).headers())
                        .doesNotContainKeys("MCP-Session-Id", "MCP-Protocol-Version");
                for (Received later : received.subList(1, 4)) {
                    assertThat(later.header("MCP-Session-Id")).isEqualTo("s-1");
                    assertThat(later.header("MCP-Protocol-Version")).isEqualTo("2025-11-25");
                }
                for (Received post : received.subList(0, 3)) {
                    assertThat(post.header("Accept"))
                            .isEqualTo("application/json, text/event-stream");
                    assertThat(post.header("Content-Type")).isEqualTo("application/json");
                }
                assertThat(received.get(2).body())
                        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
            }
        }

        @Test
        @Requirement({"HTTP-046", "VERS-022"})
        void theHeaderOfTheSessionIsKnownInAnyCase() throws Exception {
            Script script =
                    (request, reply) -> {
                        if (request.calls("initialize")) {
                            reply.json(INITIALIZED, "mcp-session-id: older");
                        } else {
                            reply.accepted();
                        }
                    };
            try (ScriptedServer server = new ScriptedServer(script);
                    RecordingSession session = RecordingSession.initialized(to(server))) {
                assertThat(session.revision).isNotNull();
                assertThat(
                                server.await(request -> request.calls("notifications/initialized"))
                                        .header("MCP-Session-Id"))
                        .isEqualTo("older");
            }
        }

        @Test
        @Requirement("HTTP-039")
        void aNewInitializeCarriesNoSession() throws Exception {
            try (ScriptedServer server =
                            new ScriptedServer(handshake("s-1", (request, reply) -> {}));
                    RecordingSession session = RecordingSession.initialized(to(server))) {
                session.send("{'jsonrpc':'2.0','id':0,'method':'initialize','params':{}}");
                session.next();
                assertThat(server.await(request -> request.calls("initialize"), 2).headers())
                        .doesNotContainKeys("MCP-Session-Id", "MCP-Protocol-Version");
            }
        }

        @Test
        void usersAddTheirOwn() throws Exception {
            AtomicInteger asked = new AtomicInteger();
            try (ScriptedServer server =
                            new ScriptedServer(
                                    handshake("s-1", (request, reply) -> reply.json(result(1))));
                    RecordingSession session =
                            RecordingSession.initialized(
                                    to(server)
                                            .header("X-Team", "red")
                                            .header("X-Fixed", "a")
                                            .headers(
                                                    () ->
                                                            Map.of(
                                                                    "X-Turn",
                                                                            ""
                                                                                    + asked
                                                                                            .incrementAndGet(),
                                                                    "x-team", "blue",
                                                                    "mcp-session-id", "mine")))) {
                session.call(1, "ping");
                session.next();
                Received ping = server.await(request -> request.calls("ping"));
                assertThat(ping.headers())
                        .containsEntry("X-Team", "blue")
                        .containsEntry("X-Fixed", "a")
                        .containsEntry("X-Turn", "3")
                        .containsEntry("MCP-Session-Id", "s-1");
                assertThat(server.received().getFirst().headers())
                        .doesNotContainKey("MCP-Session-Id");
            }
        }

        /** A server can send an answer for which its client has no memory. */
        @ParameterizedTest
        @CsvSource({
            "java.lang.IllegalStateException, the request could not be sent",
            "java.lang.OutOfMemoryError, there was no memory for the request or its answer"
        })
        void headersThatCannotBeHadFailTheRequestOnly(
                Class<? extends Throwable> failure, String reason) throws Exception {
            Throwable expected = failure.getConstructor(String.class).newInstance("expected");
            try (ScriptedServer server =
                            new ScriptedServer(handshake("s-1", (request, reply) -> {}));
                    RecordingSession session =
                            RecordingSession.connect(to(server).headers(() -> thrown(expected)))) {
                session.call(1, "ping");
                assertThat(session.nextFailure(1))
                        .isInstanceOf(ConnectionException.class)
                        .hasMessage("ping failed: " + reason)
                        .hasRootCauseMessage("expected");
            }
        }

        private static Map<String, String> thrown(Throwable failure) {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        }
    }

    @Nested
    class Answers {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "application/json",
                    "application/json; charset=utf-8",
                    "Application/JSON"
                })
        @Requirement("HTTP-012")
        void jsonIsTaken(String type) throws Exception {
            Script script =
                    (request, reply) -> reply.answer(200, result(1), "Content-Type: " + type);
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
                session.expect(
                        "{'jsonrpc':'2.0','method':'notifications/progress','params':{'n':1}}");
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
                            new ScriptedServer(
                                    (request, reply) -> reply.stream().event(result(1)));
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
                    "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"},"
                            + result(1)
                            + "]";
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
                                "ping failed: a message of the server is larger than 1000 bytes");
                session.call(1, "tools/call");
                assertThat(session.nextFailure(1))
                        .hasMessage(
                                "tools/call failed: a message of the server is larger than 1000"
                                        + " bytes");
            }
        }
    }

    @Nested
    class Refusals {
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
        void aServerThatTakesNoRequestsNowSaysNothingOfWhatWasAskedFor(int status)
                throws Exception {
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
                    "410 | null | -32000 | Gone | false",
                    "200 | 1 | -32001 | Session not found | true",
                    "200 | 1 | -32001 | Session with id 'secret-id' does not exist | true"
                })
        void aSessionThatIsGoneInOtherWordsIsExpiredToo(
                int status, String id, int code, String message, boolean mayHaveRun)
                throws Exception {
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
                    "{\"error\": {\"code\": 400, \"message\": \"Session expired\"}}"
                })
        void aTextThatIsNoMessageIsRead(String text) throws Exception {
            isExpired(
                    (request, reply) -> reply.answer(400, text, "Content-Type: text/plain"), false);
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
                            (request, reply) ->
                                    reply.json(status, ERROR.formatted(id, code, message)));
            try (ScriptedServer server = new ScriptedServer(script);
                    RecordingSession session = RecordingSession.initialized(to(server))) {
                session.call(1, "ping");
                if (status == 401) {
                    assertThat(session.nextFailure(1))
                            .isNotInstanceOf(SessionExpiredException.class);
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
                                                    1,
                                                    -32001,
                                                    "session not found ".repeat(10_000))));
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

        @Test
        void aResponseInAStreamThatIsNoMessageFailsTheRequest() throws Exception {
            Script script =
                    (request, reply) -> {
                        reply.stream()
                                .event("nonsense")
                                .event("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}");
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
            try (ScriptedServer server =
                            new ScriptedServer((request, reply) -> reply.answer(202, ""));
                    RecordingSession session = RecordingSession.connect(to(server));
                    Logged log = new Logged(HttpConnection.class.getName(), Level.WARNING)) {
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

    @Nested
    class Order {
        /**
         * A request without a session waits for nothing and overtakes messages that have to wait.
         */
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
                                                request.body()
                                                        .replaceAll(".*\"id\":(\\d+).*", "$1"))));
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
            try (ScriptedServer server =
                            new ScriptedServer((request, reply) -> reply.json(result(1)));
                    RecordingSession session = RecordingSession.connect(to(server))) {
                Thread.currentThread().interrupt();
                session.call(1, "ping");
                assertThat(Thread.interrupted()).isTrue();
                session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            }
        }
    }

    @Test
    void unusableAddressesAreRefused() {
        assertThatThrownBy(() -> Http.to("weather.example/mcp"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "an MCP endpoint must be an absolute http or https URL, such as"
                                + " http://127.0.0.1:3000/mcp");
        assertThatThrownBy(() -> Http.to((String) null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("url");
        assertThatThrownBy(() -> Http.to("127.0.0.1:3000/mcp?key=secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "an MCP endpoint must be an absolute http or https URL, such as"
                                + " http://127.0.0.1:3000/mcp: Illegal character in scheme name at"
                                + " character 1")
                .hasNoCause();
        assertThatThrownBy(() -> Http.to("https://weather.example:65536/mcp"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the port of an MCP endpoint must be from 1 to 65535 but was 65536");
        assertThatThrownBy(() -> Http.to("https://ada:secret@weather.example/mcp"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the URL of an MCP endpoint must have no fragment and no user information");
        assertThatThrownBy(
                        () -> Http.to("https://weather.example/mcp").header("MCP-Session-Id", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the header MCP-Session-Id is set by the protocol");
        assertThatThrownBy(() -> Http.to("https://weather.example/mcp").header("X", "a\nb"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMessageMayBeOfAnySize() throws Exception {
        String text = "漢".repeat(1_000_000);
        Script script =
                (request, reply) -> {
                    byte[] event =
                            ("data: "
                                            + request.body()
                                                    .replace(
                                                            "\"method\":\"ping\",\"params\"",
                                                            "\"result\"")
                                            + "\r\n\r\n")
                                    .getBytes(StandardCharsets.UTF_8);
                    reply.stream();
                    for (int at = 0;
                            at < event.length;
                            at += 100_003) { // in the middle of a character
                        reply.piece(
                                java.util.Arrays.copyOfRange(
                                        event, at, Math.min(event.length, at + 100_003)));
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.send(
                    "{'jsonrpc':'2.0','id':1,'method':'ping','params':{'text':'" + text + "'}}");
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'text':'" + text + "'}}");
        }
    }
}
