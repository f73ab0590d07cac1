package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.INITIALIZED;
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
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The headers of requests. */
@Timeout(90)
class RequestHeadersTest {
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
                assertThat(post.header("Accept")).isEqualTo("application/json, text/event-stream");
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
        try (ScriptedServer server = new ScriptedServer(handshake("s-1", (request, reply) -> {}));
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
            assertThat(server.received().getFirst().headers()).doesNotContainKey("MCP-Session-Id");
        }
    }

    /** A server can send an answer for which its client has no memory. */
    @ParameterizedTest
    @CsvSource({
        "java.lang.IllegalStateException, the request could not be sent",
        "java.lang.OutOfMemoryError, there was no memory for the request or its answer"
    })
    void headersThatCannotBeHadFailTheRequestOnly(Class<? extends Throwable> failure, String reason)
            throws Exception {
        Throwable expected = failure.getConstructor(String.class).newInstance("expected");
        try (ScriptedServer server = new ScriptedServer(handshake("s-1", (request, reply) -> {}));
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
