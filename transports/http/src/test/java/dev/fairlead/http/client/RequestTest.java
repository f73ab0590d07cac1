package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.ScriptedServer.Script;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

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

    static final String WITHOUT_SESSION =
            "{'jsonrpc':'2.0','id':%s,'method':'tools/call','params':{'name':'t','_meta':"
                    + "{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}}}";

    /** A client with long timeouts, so that the result does not depend on speed. */
    static HttpConnector to(ScriptedServer server) {
        return Http.to(server.uri()).listening(false).gracePeriods(PATIENT);
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
        assertThatThrownBy(() -> Http.to("http://mcp_server:8080/mcp")) // as of containers
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the host of an MCP endpoint must be an address, or a name of letters,"
                                + " digits, hyphens and dots, with no underscore, and its port a"
                                + " number");
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
