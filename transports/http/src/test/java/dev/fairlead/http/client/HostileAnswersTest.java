package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.handshake;
import static dev.fairlead.http.client.RequestTest.result;
import static dev.fairlead.http.client.RequestTest.to;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.ScriptedServer.Received;
import dev.fairlead.http.client.ScriptedServer.Reply;
import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.jsonrpc.ConnectionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Answers by which a server wants more of its client than it gives to honest ones. */
@Timeout(90)
class HostileAnswersTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String EARLY = "HTTP/1.1 103 Early\r\nLink: </x>\r\n\r\n";
    private static final String CHUNKED =
            OK + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

    /** Sends a part of an answer until the client closes the connection. */
    private static void endless(Reply reply, String begin, String part) throws IOException {
        reply.raw(begin);
        while (true) {
            reply.raw(part);
        }
    }

    /** Counts down when a script ends because the client has closed its connection. */
    private static Script observed(Script script, CountDownLatch closed) {
        return (request, reply) -> {
            try {
                script.answer(request, reply);
            } catch (IOException e) {
                closed.countDown();
                throw e;
            }
        };
    }

    /** Each would fill the memory of a client that waits for the end. */
    @ParameterizedTest
    @ValueSource(strings = {"status", "header", "headers", "interim", "chunk", "body"})
    void anAnswerWithoutAnEndIsNotReadForEver(String place) throws Exception {
        String many = "x".repeat(1 << 16);
        Script script =
                (request, reply) -> {
                    switch (place) {
                        case "status" -> endless(reply, "HTTP/1.1 200 ", many);
                        case "header" -> endless(reply, OK + "X: ", many);
                        case "headers" -> endless(reply, OK, "X: y\r\n".repeat(10_000));
                        case "interim" -> endless(reply, "", EARLY.repeat(1_000));
                        case "chunk" -> endless(reply, CHUNKED + "1;x=", many);
                        default ->
                                endless(reply, CHUNKED + "1\r\n{\r\n", "10000\r\n" + many + "\r\n");
                    }
                };
        CountDownLatch closed = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer(observed(script, closed));
                RecordingSession session =
                        RecordingSession.connect(to(server).maxMessageSize(1 << 20))) {
            session.call(1, "initialize");

            assertThat(session.nextFailure(1)).isInstanceOf(ConnectionException.class);
            closed.await(); // else each such answer would keep a descriptor of the client
        }
    }

    /** A state that a server keeps in its client would connect sessions with each other. */
    @Test
    void noCookieIsSentBackAndNoCodingAskedFor() throws Exception {
        try (ScriptedServer server =
                new ScriptedServer(
                        handshake(
                                "s-1",
                                (request, reply) ->
                                        reply.json(result(1), "Set-Cookie: a=b; Path=/")))) {
            try (RecordingSession session = RecordingSession.initialized(to(server))) {
                session.call(1, "ping");
                session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
                session.call(1, "ping");
                session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            }
            assertThat(server.received())
                    .allSatisfy(
                            request -> {
                                assertThat(request.headers()).doesNotContainKey("Cookie");
                                assertThat(request.headers()).doesNotContainKey("Accept-Encoding");
                            });
        }
    }

    /** Credentials that Java or a library finds somewhere are for no challenge of a server. */
    @ParameterizedTest
    @ValueSource(strings = {"Basic realm=x", "Digest realm=x, nonce=y", "Negotiate"})
    void aChallengeThatIsNotOfOAuthIsNotAnswered(String challenge) throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) ->
                                        reply.answer(401, "", "WWW-Authenticate: " + challenge));
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "initialize");

            session.nextFailure(1);
            assertThat(server.received())
                    .singleElement()
                    .satisfies(
                            request ->
                                    assertThat(request.headers())
                                            .doesNotContainKey("Authorization"));
        }
    }

    /** Waiting as long as a server wants is the decision of the caller. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "999999999", "-1", "Wed, 21 Oct 2099 07:28:00 GMT"})
    void aServerDoesNotDecideHowLongAndHowOftenItsClientTries(String time) throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) -> reply.answer(503, "", "Retry-After: " + time));
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "tools/list");

            session.nextFailure(1);
            assertThat(server.received()).hasSize(1);
        }
    }

    /** A proxy stands between: it must not be read as the server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer"
                        + " resource_metadata=\"http://127.0.0.1:1/\"\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 503 \u0007\r\nContent-Length: 0\r\n\r\n",
                "SSH-2.0-x\r\n\r\n"
            })
    void theAnswerOfAProxyToAConnectIsNeverThatOfTheServer(String answer) throws Exception {
        try (ScriptedServer proxy =
                        new ScriptedServer((request, reply) -> reply.raw(answer).end());
                RecordingSession session =
                        RecordingSession.connect(
                                Http.to(URI.create("https://mcp.example.test/mcp"))
                                        .proxies(
                                                Proxies.at(
                                                        URI.create(
                                                                "http://127.0.0.1:"
                                                                        + proxy.uri()
                                                                                .getPort()))))) {
            session.call(1, "initialize");

            assertThat(session.nextFailure(1))
                    .message()
                    .contains("the proxy 127.0.0.1:" + proxy.uri().getPort())
                    .doesNotContain("\u0007");
            List<Received> received = proxy.received();
            assertThat(received).extracting(Received::method).containsOnly("CONNECT");
        }
    }
}
