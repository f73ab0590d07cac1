package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.ScriptedServer.Received;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A client that meets servers of HTTP+SSE. */
@Timeout(60)
class LegacyTest {
    private static final String INITIALIZE =
            "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{}}";

    private static RecordingSession initialize(HttpConnector connector) {
        RecordingSession session = RecordingSession.connect(connector);
        session.send(INITIALIZE);
        return session;
    }

    private static List<String> exchanges(ScriptedServer server) {
        return server.received().stream()
                .map(request -> request.method() + " " + request.target())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405})
    @Requirement({"LEGACY-003", "LEGACY-010", "LEGACY-011", "ROOM-062"})
    void aServerThatTakesNoPostIsAskedForItsStream(int refusal) throws Exception {
        try (OldServer server = new OldServer(refusal, "/messages?sessionId=7");
                RecordingSession session = initialize(server.connector())) {
            session.expect("{'jsonrpc':'2.0','id':0,'result':{}}");
            session.send("{'jsonrpc':'2.0','method':'notifications/initialized'}");
            session.call(1, "ping");

            session.expect("{'jsonrpc':'2.0','id':1,'result':{}}");
            assertThat(exchanges(server.server()))
                    .containsExactly(
                            "POST /mcp",
                            "GET /mcp",
                            "POST /messages?sessionId=7",
                            "POST /messages?sessionId=7",
                            "POST /messages?sessionId=7");
            Received detecting = server.server().received().get(0);
            assertThat(detecting.header("Accept")).isEqualTo("application/json, text/event-stream");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 402, 406, 410, 415, 500, 502, 503})
    @Requirement({"LEGACY-012", "ROOM-062"})
    void anyOtherRefusalIsOne(int refusal) throws Exception {
        try (OldServer server = new OldServer(refusal, "/messages");
                RecordingSession session = initialize(server.connector())) {
            assertThat(session.nextFailure(0)).hasMessageContaining("status " + refusal);
            assertThat(exchanges(server.server())).containsExactly("POST /mcp");
        }
    }

    @Test
    @Requirement("LEGACY-012")
    void aNetworkThatFailsIsNoReasonToFallBack() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.cut());
                RecordingSession session = initialize(Http.to(server.uri()))) {
            assertThat(session.nextFailure(0)).isInstanceOf(ConnectionException.class);
            assertThat(server.received()).allMatch(request -> request.is("POST"));
        }
    }

    @Test
    @Requirement("LEGACY-010")
    void onlyTheFirstMessageAsksForTheOldWay() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) -> {
                                    if (request.calls("initialize")) {
                                        reply.json("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
                                    } else {
                                        reply.answer(404, "");
                                    }
                                });
                RecordingSession session =
                        RecordingSession.initialized(Http.to(server.uri()).listening(false))) {
            session.call(1, "ping");

            assertThat(session.nextFailure(1)).hasMessageContaining("status 404");
            assertThat(server.received()).allMatch(request -> request.is("POST"));
        }
    }

    @Test
    @Requirement("LEGACY-011")
    void whatAServerWithoutTheOldWayRefusedWithStands() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) -> {
                                    if (request.is("GET")) {
                                        reply.answer(405, "");
                                    } else {
                                        reply.json(
                                                400,
                                                "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":"
                                                        + "{\"code\":-32602,\"message\":\"no\"}}");
                                    }
                                });
                RecordingSession session = initialize(Http.to(server.uri()))) {
            session.expect("{'jsonrpc':'2.0','id':0,'error':{'code':-32602,'message':'no'}}");
            assertThat(exchanges(server)).containsExactly("POST /mcp", "GET /mcp");
        }
    }

    @Test
    @Requirement("LEGACY-011")
    void aStreamThatBeginsWithAnythingElseIsNotOfTheOldWay() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) -> {
                                    if (request.is("GET")) {
                                        reply.stream()
                                                .event("{}")
                                                .lines("event: endpoint", "data: /messages", "");
                                        reply.awaitHangUp();
                                    } else {
                                        reply.answer(405, "");
                                    }
                                });
                RecordingSession session = initialize(Http.to(server.uri()))) {
            assertThat(session.nextFailure(0)).hasMessageContaining("status 405");
            assertThat(exchanges(server)).containsExactly("POST /mcp", "GET /mcp");
        }
    }

    @Test
    @Requirement("LEGACY-013")
    void anEndpointThatIsNeverNamedIsNotWaitedForForever() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch hungUp = new CountDownLatch(1);
        HeldWait wait = new HeldWait(Duration.ofSeconds(10));
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) -> {
                                    reply.stream().lines(": wait");
                                    open.countDown();
                                    reply.awaitHangUp();
                                    hungUp.countDown();
                                });
                RecordingSession session =
                        initialize(
                                Http.to(server.uri())
                                        .legacySse()
                                        .gracePeriods(OldServer.PATIENT)
                                        .pauses(wait))) {
            wait.awaitBegun();
            assertThat(open.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(session.events).isEmpty();
            wait.end();

            assertThat(session.nextFailure(0))
                    .hasMessage(
                            "initialize failed: the server at "
                                    + server.uri()
                                    + " offers no HTTP+SSE: no endpoint was named within 10 s");
            assertThat(hungUp.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example/messages",
                "//evil.example/messages",
                "https://127.0.0.1/messages",
                "http://127.0.0.1:1/messages",
                "http://user@127.0.0.1/messages",
                "mailto:somebody@evil.example"
            })
    @Requirement("LEGACY-007")
    void anEndpointOfAnotherOriginIsRefused(String endpoint) throws Exception {
        try (OldServer server = new OldServer(405, endpoint);
                RecordingSession session = initialize(server.connector())) {
            assertThat(session.nextFailure(0))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("names an endpoint of another origin");
            assertThat(exchanges(server.server())).containsExactly("POST /mcp", "GET /mcp");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/messages?sessionId=7, /messages?sessionId=7",
        "messages/?session_id=7, /messages/?session_id=7",
        "?sessionId=7, /mcp?sessionId=7"
    })
    @Requirement("LEGACY-002")
    void anEndpointIsRelativeToTheStream(String endpoint, String target) throws Exception {
        try (OldServer server = new OldServer(405, endpoint);
                RecordingSession session = initialize(server.connector().legacySse())) {
            session.expect("{'jsonrpc':'2.0','id':0,'result':{}}");
            assertThat(exchanges(server.server())).containsExactly("GET /mcp", "POST " + target);
        }
    }

    @Test
    @Requirement({"LEGACY-003", "LEGACY-014"})
    void whatIsPostedHasTheHeadersOfUsersAndNoneOfTheNewTransport() throws Exception {
        try (OldServer server = new OldServer(405, "/messages");
                RecordingSession session =
                        initialize(
                                server.connector()
                                        .legacySse()
                                        .header("X-Tenant", "north")
                                        .headers(() -> Map.of("Authorization", "Bearer 1")))) {
            session.next();
            session.revision = Revision.V2024_11_05;
            session.call(1, "ping");
            session.next();

            assertThat(server.server().received())
                    .allSatisfy(
                            request -> {
                                assertThat(request.header("X-Tenant")).isEqualTo("north");
                                assertThat(request.header("Authorization")).isEqualTo("Bearer 1");
                                assertThat(request.header("MCP-Session-Id")).isNull();
                                assertThat(request.header("MCP-Protocol-Version")).isNull();
                                assertThat(request.header("Last-Event-ID")).isNull();
                            });
        }
    }

    @Test
    void whatTheServerSendsIsTakenAndAnsweredByPost() throws Exception {
        try (OldServer server = new OldServer(405, "/messages");
                RecordingSession session = initialize(server.connector().legacySse())) {
            session.next();
            server.say("{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
            server.say("{'jsonrpc':'2.0','id':9,'method':'roots/list'}");

            session.expect("{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
            session.expect("{'jsonrpc':'2.0','id':9,'method':'roots/list'}");
            session.send("{'jsonrpc':'2.0','id':9,'result':{'roots':[]}}");
            server.await(request -> request.body().contains("\"roots\":[]"));
        }
    }

    @Test
    @Requirement("LEGACY-014")
    void aStreamThatEndsIsALostConnection() throws Exception {
        try (OldServer server = new OldServer(405, "/messages");
                RecordingSession session = initialize(server.connector().legacySse())) {
            session.next();

            server.endStream();

            assertThat(session.lost.get(60, TimeUnit.SECONDS))
                    .hasMessage(
                            "the connection to "
                                    + server.server().uri()
                                    + " was lost: its stream of events ended");
            assertThat(session.closed.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.server().received()).filteredOn(each -> each.is("GET")).hasSize(1);
        }
    }

    @Test
    @Requirement("LEGACY-014")
    void aStreamThatBreaksOffIsALostConnection() throws Exception {
        try (OldServer server = new OldServer(405, "/messages");
                RecordingSession session = initialize(server.connector())) {
            session.next();

            server.cutStream();

            assertThat(session.lost.get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("its stream of events broke off");
        }
    }

    @Test
    void aMessageThatIsTooLargeLosesTheConnection() throws Exception {
        try (OldServer server = new OldServer(405, "/messages");
                RecordingSession session =
                        initialize(server.connector().maxMessageSize(100).legacySse())) {
            session.next();

            server.say("{'jsonrpc':'2.0','method':'" + "x".repeat(200) + "'}");

            assertThat(session.lost.get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("a message of the server is larger than 100 bytes");
        }
    }

    @Test
    void aRequestThatIsRefusedFails() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) -> {
                                    if (request.is("GET")) {
                                        reply.stream().lines("event: endpoint", "data: /m", "");
                                        reply.awaitHangUp();
                                    } else {
                                        reply.answer(404, "");
                                    }
                                });
                RecordingSession session = initialize(Http.to(server.uri()).legacySse())) {
            CallException failure = session.nextFailure(0);

            assertThat(failure)
                    .hasMessage(
                            "initialize failed: the server at "
                                    + server.uri()
                                    + " answered with status 404");
            assertThat(exchanges(server)).containsExactly("GET /mcp", "POST /m");
        }
    }

    @Test
    void aServerWithoutTheOldTransportIsReported() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.answer(404, ""));
                RecordingSession session = initialize(Http.to(server.uri()).legacySse())) {
            assertThat(session.nextFailure(0))
                    .hasMessage(
                            "initialize failed: the server at "
                                    + server.uri()
                                    + " offers no HTTP+SSE: GET was answered with status 404");
        }
    }

    @Test
    void closingEndsTheStreamAndDeletesNothing() throws Exception {
        CountDownLatch hungUp = new CountDownLatch(1);
        try (ScriptedServer server =
                new ScriptedServer(
                        (request, reply) -> {
                            if (request.is("GET")) {
                                reply.stream().lines("event: endpoint", "data: /m", "");
                                reply.awaitHangUp();
                                hungUp.countDown();
                            } else {
                                reply.accepted();
                            }
                        })) {
            RecordingSession session = initialize(Http.to(server.uri()).legacySse());
            server.await(request -> request.is("POST"));

            session.close();

            assertThat(hungUp.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(session.lost).isNotDone();
            assertThat(exchanges(server)).containsExactly("GET /mcp", "POST /m");
        }
    }
}
