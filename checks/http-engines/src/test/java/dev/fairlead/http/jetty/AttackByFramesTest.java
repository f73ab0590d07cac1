package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Http2Wire.Received;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Clients that use frames of HTTP/2 besides requests, or block a connection with them. */
@Tag(Engines.JETTY_ALONE)
@Timeout(120)
class AttackByFramesTest extends FramesTest {

    /** More than any server should bear. */
    private static final int FLOOD = 20_000;

    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void endCalls() {
        end.countDown();
    }

    /** Does the same again and again, and gives the reason for which the server ends that. */
    private static int flood(Http2Wire wire, Sending piece) throws IOException {
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                for (int i = 0; i < FLOOD; i++) {
                                    piece.send();
                                }
                            } catch (IOException e) {
                                // the server has had enough
                            }
                        });
        return wire.awaitEnd();
    }

    @Test
    void connectIsRefused() throws Exception {
        Http2Wire wire = http2(serveHttp2(listener -> listener));
        int proper = wire.nextStream();
        wire.frame(
                Http2Wire.HEADERS,
                Http2Wire.END_STREAM | Http2Wire.END_HEADERS,
                proper,
                wire.fields("CONNECT", ":scheme", "", ":path", ""));

        assertThat(wire.answer(proper).status).isEqualTo(400);
        assertThat(wire.answer(wire.post(initialize("2025-11-25"))).status).isEqualTo(200);
    }

    @Test
    void transferEncodingIsRefused() throws Exception {
        Http2Wire wire = http2(serveHttp2(listener -> listener));
        int stream = wire.post(initialize("2025-11-25"), "transfer-encoding", "chunked");

        assertThat(wire.answer(stream).status).isEqualTo(400);
    }

    /** The status must not depend on whether the body has arrived. */
    @Test
    void aRefusalDoesNotWaitForTheBody() throws Exception {
        Http2Wire wire = http2(serveHttp2(listener -> listener));

        int stream = wire.head("POST", "transfer-encoding", "chunked");

        assertThat(wire.status(stream)).isEqualTo(400);
    }

    @Test
    void requestsThatAreResetAtOnceCloseTheConnection() throws Exception {
        HttpServing serving = serveHttp2(listener -> listener);
        Http2Wire wire = http2(serving);

        int reason = flood(wire, () -> wire.reset(wire.get()));

        assertThat(reason).isIn(Http2Wire.ENHANCE_YOUR_CALM, -1); // a reset may hide it
        assertServes(serving);
    }

    @ParameterizedTest
    @ValueSource(ints = {Http2Wire.PING, Http2Wire.SETTINGS})
    void framesThatOnlyMakeWorkCloseTheConnection(int type) throws Exception {
        HttpServing serving = serveHttp2(listener -> listener);
        Http2Wire wire = http2(serving);
        byte[] payload = new byte[type == Http2Wire.PING ? 8 : 0];

        int reason = flood(wire, () -> wire.frame(type, 0, 0, payload));

        assertThat(reason).isIn(Http2Wire.ENHANCE_YOUR_CALM, -1);
        assertServes(serving);
    }

    @Test
    void oneRequestTooManyOnAConnectionIsRefusedAndTheOthersContinue() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    end.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serveHttp2(listener -> listener);
        String id = session(serving);
        Http2Wire wire = http2(serving);
        List<Integer> streams = new ArrayList<>();
        for (int i = 0; i < Protocols.STREAMS; i++) {
            streams.add(wire.post(request(i, "tools/call"), SESSION, id));
        }

        Received refused = wire.answer(wire.get(SESSION, id));
        assertThat(refused.reset).isEqualTo(Http2Wire.REFUSED_STREAM);
        end.countDown();
        for (int stream : streams) {
            assertThat(wire.answer(stream).status).isEqualTo(200);
        }
        assertThat(wire.answer(wire.post(request(999, "ping"), SESSION, id)).status).isEqualTo(200);
    }

    @Test
    void anOversizedHeadIsRefusedAndTheConnectionContinues() throws Exception {
        HttpServing serving = serveHttp2(listener -> listener);
        String id = session(serving);
        Http2Wire wire = http2(serving);

        Received refused = wire.answer(wire.get("X-Large", "x".repeat(10_000)));

        assertThat(refused.status).isEqualTo(431);
        assertThat(wire.answer(wire.post(request(1, "ping"), SESSION, id)).status).isEqualTo(200);
    }

    @Test
    void aHeadThatNeverEndsClosesTheConnection() throws Exception {
        HttpServing serving = serveHttp2(listener -> listener);
        Http2Wire wire = http2(serving);
        assertThat(wire.answer(wire.get()).status).isEqualTo(400);
        wire.frame(Http2Wire.HEADERS, 0, HEAD, wire.fields("GET"));
        byte[] more = wire.fields("GET", "X", "x".repeat(10_000));

        int reason = flood(wire, () -> wire.frame(Http2Wire.CONTINUATION, 0, HEAD, more));

        assertThat(reason).isNotIn(0, Http2Wire.CANCEL); // as it is where a client is silent

        assertServes(serving);
    }

    @Test
    void anOversizedBodyIsRefusedAndTheConnectionContinues() throws Exception {
        HttpServing serving = serveHttp2(listener -> listener.maxBody(1000));
        String id = session(serving);
        Http2Wire wire = http2(serving);

        int large = wire.head("POST", SESSION, id);
        wire.frame(Http2Wire.DATA, 0, large, new byte[10_000]);
        wire.frame(Http2Wire.DATA, Http2Wire.END_STREAM, large, new byte[10_000]);

        assertThat(wire.answer(large).status).isEqualTo(413);
        assertThat(wire.answer(wire.post(request(1, "ping"), SESSION, id)).status).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:80",
                "localhost.evil.example",
                "127.0.0.1.nip.io:8080",
                "localhost:evil",
                "evil.example@localhost",
                "localhost, evil.example",
                "0.0.0.0",
                "[::2]",
                "*"
            })
    @Requirement({"HTTP-003", "ROOM-059"})
    void aForeignAuthorityIsRefused(String name) throws IOException {
        assertThat(status(":authority", name)).isIn(400, 403);
    }

    @Test
    @Requirement({"HTTP-003", "ROOM-059"})
    void anAuthorityIsCheckedAsAHostIs() throws IOException {
        assertThat(status(":authority", "localhost:1")).isEqualTo(200);
        assertThat(status(":authority", "", "host", "localhost")).isEqualTo(200);
        assertThat(status(":authority", "", "host", "evil.example")).isIn(400, 403);
        assertThat(status(":authority", "")).isIn(400, 403);
        assertThat(status(":authority", "localhost", "host", "evil.example")).isIn(400, 403);
        assertThat(status(":authority", "evil.example", "host", "localhost")).isIn(400, 403);
        assertThat(status("origin", "https://evil.example")).isEqualTo(403);
    }

    /**
     * Returns the status; a malformed request ends its stream or its connection, which counts as
     * 400.
     */
    private int status(String... headers) throws IOException {
        try (Http2Wire wire = Http2Wire.to(serveHttp2(listener -> listener))) {
            Received answer = wire.answer(wire.post(initialize("2025-11-25"), headers));
            return answer.status == 0 ? 400 : answer.status;
        } catch (EOFException | SocketException e) {
            return 400;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"connection", "transfer-encoding", "te", ":protocol", ":x", ":status"})
    void fieldsThatHaveNoPlaceInHttp2AreRefused(String name) throws IOException {
        assertThat(status(name, "x")).isBetween(400, 499);
    }

    private void assertServes(HttpServing serving) throws IOException {
        Http2Wire wire = http2(serving);
        assertThat(wire.answer(wire.post(initialize("2025-11-25"))).status).isEqualTo(200);
    }
}
