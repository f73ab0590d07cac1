package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.stream.Stream;

/**
 * Requests whose end two parties may see at different places, and requests on each other's heels. A
 * doubtful request is refused, and no bytes that follow on its connection are taken for a request.
 */
@Timeout(120)
class AttackBySmugglingTest extends HttpTest {
    private static final String HEAD =
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
                    + "Content-Type: application/json\r\n";

    /** The smuggled request: a server that takes it for a request ends a session. */
    private static String smuggled(String session) {
        return "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMCP-Session-Id: " + session + "\r\n\r\n";
    }

    static Stream<Arguments> doubtful() {
        return Stream.of(
                Arguments.of("both lengths", "Content-Length: 5\r\nTransfer-Encoding: chunked", ""),
                Arguments.of(
                        "both, swapped", "Transfer-Encoding: chunked\r\nContent-Length: 5", ""),
                Arguments.of("two lengths", "Content-Length: 5\r\nContent-Length: 6", "hello"),
                Arguments.of("the same length twice", "Content-Length: 5\r\nContent-Length: 5", ""),
                Arguments.of("a list of lengths", "Content-Length: 5, 5", "hello"),
                Arguments.of("a signed length", "Content-Length: +5", "hello"),
                Arguments.of("a negative length", "Content-Length: -5", ""),
                Arguments.of("a hexadecimal length", "Content-Length: 0x5", "hello"),
                Arguments.of("a huge length", "Content-Length: 99999999999999999999", ""),
                Arguments.of("no number as length", "Content-Length: ", ""),
                Arguments.of("an unknown coding", "Transfer-Encoding: xchunked", ""),
                Arguments.of("chunked, and then another", "Transfer-Encoding: chunked, gzip", ""),
                Arguments.of("chunked twice", "Transfer-Encoding: chunked, chunked", ""),
                Arguments.of(
                        "a coding on two lines",
                        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
                        ""),
                Arguments.of("space before the colon", "Transfer-Encoding : chunked", ""),
                Arguments.of("a folded coding", "Transfer-Encoding:\r\n chunked", ""),
                Arguments.of("a folded header", "X-Header: one\r\n two\r\nContent-Length: 0", ""),
                Arguments.of("a tab in front", "\tContent-Length: 0", ""),
                Arguments.of("no colon", "Content-Length 5", ""),
                Arguments.of("a bare CR", "X-Header: one\rContent-Length: 5", ""),
                Arguments.of("a NUL", "X-Header: \0\r\nContent-Length: 0", ""),
                Arguments.of("two hosts", "Host: localhost\r\nContent-Length: 0", ""),
                Arguments.of("no number as chunk", "Transfer-Encoding: chunked", "zz\r\n"),
                Arguments.of("a negative chunk", "Transfer-Encoding: chunked", "-1\r\n"),
                Arguments.of("a huge chunk", "Transfer-Encoding: chunked", "FFFFFFFFFFFFFFFFF\r\n"),
                Arguments.of(
                        "a chunk longer than it says",
                        "Transfer-Encoding: chunked",
                        "1\r\nhello\r\n0\r\n\r\n"),
                Arguments.of("no size of a chunk", "Transfer-Encoding: chunked", "\r\n0\r\n\r\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void doubtful(String what, String headers, String body) throws Exception {
        HttpServing serving = serve();
        String session = session(serving);
        Scripted opened = host.session();
        try (Wire wire = Wire.to(serving)) {
            wire.raw(HEAD + headers + "\r\n\r\n" + body + smuggled(session));

            assertThat(wire.head().status()).isIn(400, 415, 501);
            wire.awaitEnd();
        }
        assertThat(opened.received).isEmpty();
        assertThat(post(serving, request(1, "ping"), SESSION, session).status()).isEqualTo(200);
    }

    @Test
    void theBodyOfARefusedRequestIsNoRequest() throws Exception {
        HttpServing serving = serve();
        String session = session(serving);
        String body = smuggled(session);
        String[] refused = {"Origin: http://evil.example", "Content-Encoding: gzip", "Accept: x/y"};
        for (String header : refused) {
            try (Wire wire = Wire.to(serving)) {
                wire.raw(
                        "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"
                                + "Content-Type: application/json\r\n"
                                + header
                                + "\r\nContent-Length: "
                                + body.length()
                                + "\r\nConnection: close\r\n\r\n"
                                + body);
                assertThat(wire.answer().status()).isBetween(400, 499);
                wire.awaitEnd();
            }
        }
        assertThat(post(serving, request(1, "ping"), SESSION, session).status()).isEqualTo(200);
    }

    @Test
    void theBodyOfAGetIsNoRequest() throws Exception {
        HttpServing serving = serve();
        String session = session(serving);
        String body = smuggled(session);
        try (Wire wire = Wire.to(serving)) {
            wire.raw(
                    "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nMCP-Session-Id: "
                            + session
                            + "\r\nContent-Length: "
                            + body.length()
                            + "\r\n\r\n"
                            + body
                            + "GET /other HTTP/1.1\r\n"
                            + "Host: localhost\r\n"
                            + "Connection: close\r\n\r\n");
            assertThat(wire.answer().status()).isEqualTo(400);
            wire.awaitEnd();
        }
        assertThat(post(serving, request(1, "ping"), SESSION, session).status()).isEqualTo(200);
    }

    /** Some proxies send this before each GET. */
    @Test
    void aChunkedBodyWithoutAChunkIsNone() throws Exception {
        HttpServing serving = serve();
        String session = session(serving);
        for (String body : new String[] {"0\r\n\r\n", "1\r\nx\r\n0\r\n\r\n"}) {
            try (Wire wire = Wire.to(serving)) {
                wire.raw(
                        "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                                + "MCP-Session-Id: "
                                + session
                                + "\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + body);
                assertThat(wire.head().status()).isEqualTo(body.startsWith("0") ? 200 : 400);
            }
        }
    }

    @Test
    void anotherHostInTheTargetIsRefused() throws Exception {
        try (Wire wire = Wire.to(serve())) {
            wire.raw("GET http://evil.example/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");

            assertThat(wire.head().status()).isIn(400, 403);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
        HttpServing serving = serve();
        String session = session(serving);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            all.append(pipelined(session, request(i, "ping")));
        }
        try (Wire wire = Wire.to(serving)) {
            wire.raw(all.toString());
            for (int i = 0; i < 200; i++) {
                Answer answer = wire.answer();

                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body()).contains("\"id\":" + i + ",");
            }
        }
    }

    @Test
    void aRefusalInTheMiddleShiftsNoAnswer() throws Exception {
        HttpServing serving = serve();
        String session = session(serving);
        try (Wire wire = Wire.to(serving)) {
            wire.raw(
                    pipelined(session, request(1, "ping"))
                            + pipelined("unknown", request(2, "ping"))
                            + pipelined(session, "{")
                            + pipelined(session, request(4, "ping")));

            assertAnswer(wire, 200, "\"id\":1,");
            assertAnswer(wire, 404, "\"id\":2,");
            assertAnswer(wire, 400, "-32700");
            assertAnswer(wire, 200, "\"id\":4,");
        }
    }

    private static void assertAnswer(Wire wire, int status, String part) throws IOException {
        Answer answer = wire.answer();
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).contains(part);
    }

    private static String pipelined(String session, String body) {
        return HEAD
                + "MCP-Session-Id: "
                + session
                + "\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body;
    }
}
