package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Http2Wire.Received;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Clients that hold up a connection of HTTP/2 by taking their time. */
@Tag("proof")
@Tag(Engines.JETTY_ALONE)
@Timeout(120)
class AttackByFramesProofTest extends FramesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private HttpServing impatient() throws IOException {
        return serveHttp2(listener -> listener.clientTimeout(TIMEOUT).heartbeat(TIMEOUT));
    }

    /** A connection on which nothing is left to be said but this head, which has no end. */
    private Http2Wire withEndlessHead(HttpServing serving) {
        return Attempts.inTime(
                () -> {
                    Http2Wire wire = http2(serving);
                    boolean greeted = wire.answer(wire.get()).status == 400;
                    wire.frame(Http2Wire.HEADERS, 0, HEAD, wire.fields("GET"));
                    return greeted ? Optional.of(wire) : Optional.empty();
                });
    }

    private void assertServes(HttpServing serving) {
        int status =
                Attempts.inTime(
                        () -> {
                            Http2Wire wire = http2(serving);
                            int stream = wire.post(initialize("2025-11-25"));
                            return Optional.of(wire.answer(stream).status)
                                    .filter(answered -> answered == 200);
                        });
        assertThat(status).isEqualTo(200);
    }

    /** Does the same again and again, far more often than a silent connection would need. */
    private static Thread drip(Sending piece) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                while (true) {
                                    piece.send();
                                    LockSupport.parkNanos(TIMEOUT.toNanos() / 10);
                                }
                            } catch (IOException e) {
                                // the server has had enough
                            }
                        });
    }

    @Test
    void aHeadThatDripsIsCutOff() throws Exception {
        HttpServing serving = impatient();
        Http2Wire wire = withEndlessHead(serving);

        Thread attacker = drip(() -> wire.frame(Http2Wire.CONTINUATION, 0, HEAD, new byte[1]));

        wire.awaitEnd();
        assertThat(attacker.join(Duration.ofSeconds(30))).isTrue();
        assertServes(serving);
    }

    @Test
    void pingsAloneKeepNoConnectionOpen() throws Exception {
        HttpServing serving = impatient();
        Http2Wire wire = Attempts.inTime(() -> Optional.of(http2(serving)));
        Thread attacker = drip(() -> wire.frame(Http2Wire.PING, 0, 0, new byte[8]));

        wire.awaitEnd();
        assertThat(attacker.join(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void aConnectionThatAsksForNothingIsClosed() throws Exception {
        HttpServing serving = impatient();
        Attempts.inTime(() -> Optional.of(http2(serving))).awaitEnd();
    }

    @Test
    void aDrippingBodyIsRefusedAndTheConnectionContinues() throws Exception {
        HttpServing serving = impatient();
        Http2Wire refused =
                Attempts.inTime(
                        () -> { // a drip that comes too late would be answered with 400
                            Http2Wire wire = http2(serving);
                            int stream = wire.head("POST");
                            drip(() -> wire.frame(Http2Wire.DATA, 0, stream, new byte[] {' '}));
                            Received answer = wire.answer(stream);
                            return answer.status == 408 ? Optional.of(wire) : Optional.empty();
                        });

        assertThat(refused).isNotNull();
        assertServes(serving);
    }

    @Test
    void aBodyThatStopsIsRefused() throws Exception {
        HttpServing serving = impatient();

        Http2Wire refused =
                Attempts.inTime(
                        () -> { // late data would be answered with 408, or not at all
                            Http2Wire wire = http2(serving);
                            int stream = wire.head("POST");
                            wire.frame(Http2Wire.DATA, 0, stream, new byte[] {'{'});
                            Received answer = wire.answer(stream);
                            return answer.status == 400 ? Optional.of(wire) : Optional.empty();
                        });

        assertThat(refused).isNotNull();
        assertServes(serving);
    }

    @Test
    @Requirement("SSE-022")
    void anUnreadStreamIsResetAndTheConnectionContinues() throws Exception {
        HttpServing serving = impatient();
        String id = Attempts.inTime(() -> Optional.ofNullable(session(serving)));
        Http2Wire wire =
                Attempts.inTime(
                        () -> {
                            var made = closedLater(new Http2Wire(serving.port(), 1000, 0));
                            boolean listens = made.status(made.get(SESSION, id)) == 200;
                            return listens ? Optional.of(made) : Optional.empty();
                        });
        Scripted session = reachable();
        wire.asksForNoMore();
        session.context.send(notification("x", "{\"data\":\"" + "x".repeat(100_000) + "\"}"));

        assertThat(wire.answer(1).reset).isEqualTo(Http2Wire.CANCEL);
        await().until(() -> !session.context.isReachable());
    }

    @Test
    void aConnectionThatIsNotReadIsClosedAndItsPlaceIsFree() throws Exception {
        BlockingQueue<RequestId> arrived = new LinkedBlockingQueue<>();
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    arrived.add(request.id());
                    exchange.send(result(request, "\"" + "x".repeat(16 << 20) + "\""));
                });
        HttpServing serving =
                serveHttp2(listener -> listener.clientTimeout(TIMEOUT).maxConnections(2));
        String id = Attempts.inTime(() -> Optional.ofNullable(session(serving)));
        for (int i = 0; i < 2; i++) {
            stall(serving, id, arrived);
        }

        assertServes(serving);
    }

    /** A connection that is refused, since it was too slow, is opened again. */
    private void stall(HttpServing serving, String id, BlockingQueue<RequestId> arrived) {
        Attempts.inTime(
                () -> {
                    var wire = closedLater(new Http2Wire(serving.port(), Integer.MAX_VALUE, 4096));
                    wire.frame(Http2Wire.WINDOW_UPDATE, 0, 0, Http2Wire.number(1 << 30));
                    wire.post(request(1, "tools/call"), SESSION, id);
                    return Optional.ofNullable(arrived.poll(5, TimeUnit.SECONDS));
                });
    }
}
