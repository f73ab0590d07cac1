package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Clients that take their time, to keep what others need. */
@Timeout(120)
class AttackBySlownessTest extends HttpTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final String HEAD =
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
                    + "Content-Type: application/json\r\n";

    private HttpServing impatient() throws IOException {
        return serve(listener -> listener.clientTimeout(TIMEOUT).maxRequests(5).heartbeat(TIMEOUT));
    }

    private void assertServes(HttpServing serving) throws IOException {
        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
    }

    /** Sends the same again and again, far more often than a silent connection would need. */
    private static Thread drip(Wire wire, String piece) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                while (true) {
                                    wire.raw(piece);
                                    LockSupport.parkNanos(TIMEOUT.toNanos() / 10);
                                }
                            } catch (IOException e) {
                                // the server has had enough
                            }
                        });
    }

    @Test
    void aHeadThatNeverEndsIsCutOff() throws Exception {
        HttpServing serving = impatient();
        List<Thread> attackers = new ArrayList<>();
        for (String first : new String[] {"POST /mcp HTTP/1.1\r\n", HEAD, "", "POST /"}) {
            attackers.add(drip(wire(serving).raw(first), "X: y\r\n"));
        }
        assertServes(serving);

        for (Thread attacker : attackers) {
            assertThat(attacker.join(Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    void whatIsPipelinedSlowlyBehindARequestIsCutOff() throws Exception {
        Wire wire = wire(impatient());
        wire.post(initialize("2025-11-25"));
        assertThat(wire.answer().status()).isEqualTo(200);

        assertThat(drip(wire, "P").join(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void aBodyThatDripsIsRefusedAndItsPlaceIsFree() throws Exception {
        HttpServing serving = impatient();
        List<Wire> slow = new ArrayList<>();
        for (int i = 0; i < 5; i++) { // as many as may be read
            Wire wire = wire(serving).raw(HEAD + "Content-Length: 1000000\r\n\r\n");
            drip(wire, " ");
            slow.add(wire);
        }
        for (Wire wire : slow) {
            Wire.Answer answer = wire.answer();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.body()).contains("The body comes too slowly");
            assertThat(answer.header("Connection")).isEqualTo("close");
            wire.awaitEnd();
        }
        assertServes(serving);
    }

    @Test
    void aChunkedBodyThatDripsIsRefused() throws Exception {
        Wire wire = wire(impatient()).raw(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
        drip(wire, "1\r\n \r\n");

        assertThat(wire.answer().status()).isEqualTo(408);
    }

    @Test
    void aBodyThatStopsIsRefused() throws Exception {
        Wire wire = wire(impatient()).raw(HEAD + "Content-Length: 100\r\n\r\n{");

        assertThat(wire.answer().status()).isEqualTo(400);
        wire.awaitEnd();
    }

    @Test
    void connectionsThatSayNothingAreClosed() throws Exception {
        HttpServing serving = impatient();
        List<Wire> silent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            silent.add(wire(serving));
        }
        assertServes(serving);
        for (Wire wire : silent) {
            wire.awaitEnd();
        }
    }

    /** A client that is gone without a word is found by what the server writes to it. */
    @Test
    @Requirement("SSE-022")
    void aStreamWhoseReaderNeverReadsIsDropped() throws Exception {
        HttpServing serving = impatient();
        String id = session(serving);
        Scripted session = host.session();
        Wire reader = new Wire(serving.port(), 4096);
        try (reader) {
            reader.get(SESSION, id).head();
            Await.until(session.context::isReachable);
            var large = notification("x", "{\"data\":\"" + "x".repeat(8 << 20) + "\"}");
            session.context.send(large);

            Await.until(() -> !session.context.isReachable());
        }
    }

    @Test
    @Requirement({"SSE-022", "HTTP-018"})
    void aHandlerWhoseCallerReadsNothingEndsAndHoldsUpNobody() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    for (int i = 0; i < 30; i++) {
                        exchange.send(notification("x", "{\"d\":\"" + "x".repeat(1 << 20) + "\"}"));
                    }
                    exchange.send(result(request, "{}"));
                    ended.countDown();
                });
        HttpServing serving = impatient();
        String id = session(serving);
        try (Wire reader = new Wire(serving.port(), 4096)) {
            reader.post(request(1, "tools/call"), SESSION, id);

            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(post(serving, request(2, "ping"), SESSION, id).status()).isEqualTo(200);
        }
    }
}
