package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Http2Wire.Received;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.jsonrpc.RequestId;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** How long answers that are streams of an HTTP/2 connection live. */
@Tag("proof")
@Tag(Engines.JETTY_ALONE)
@Timeout(120)
class Http2StreamsProofTest extends HttpTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final CountDownLatch end = new CountDownLatch(1);

    private Http2Wire http2(HttpServing serving) throws IOException {
        return closedLater(Http2Wire.to(serving));
    }

    private HttpServing impatient() throws IOException {
        return serve(listener -> listener.http2WithoutTls().clientTimeout(TIMEOUT));
    }

    private String sessionInTime(HttpServing serving) {
        return Attempts.inTime(() -> Optional.ofNullable(session(serving)));
    }

    /**
     * The time after which a server closes a connection that says nothing, two times and a half: no
     * multiple of it, since a write just when a connection times out may fail.
     */
    private void outliveClientTimeout(HttpServing serving) throws Exception {
        for (int i = 0; i < 2; i++) {
            wire(serving).awaitEnd();
        }
        HttpEngineProofTest.after(TIMEOUT.dividedBy(2));
    }

    /** Whether a request comes; those before it were given up. */
    private static boolean arrives(RequestId request, BlockingQueue<RequestId> arrived)
            throws InterruptedException {
        RequestId came = arrived.poll(5, TimeUnit.SECONDS);
        while (came != null && !came.equals(request)) {
            came = arrived.poll(5, TimeUnit.SECONDS);
        }
        return came != null;
    }

    @AfterEach
    void endCalls() {
        end.countDown();
    }

    @Test
    void aCallMayTakeLongerThanAClientMayBeSilent() throws Exception {
        BlockingQueue<RequestId> arrived = new LinkedBlockingQueue<>();
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    arrived.add(request.id());
                    end.await();
                    exchange.send(result(request, "{\"slow\":true}"));
                });
        HttpServing serving = impatient();
        String id = sessionInTime(serving);
        AtomicInteger attempts = new AtomicInteger();
        Http2Wire wire =
                Attempts.inTime(
                        () -> {
                            int attempt = attempts.incrementAndGet();
                            Http2Wire made = http2(serving);
                            made.post(request(attempt, "tools/call"), SESSION, id);
                            return arrives(RequestId.of(attempt), arrived)
                                    ? Optional.of(made)
                                    : Optional.empty();
                        });

        outliveClientTimeout(serving);
        end.countDown();

        Received answer = wire.answer(1);
        assertThat(answer.reset).isEqualTo(-1);
        assertThat(answer.status).isEqualTo(200);
        assertThat(answer.body()).contains("\"slow\":true");
        assertThat(answer.headers.get("Content-Type")).isEqualTo(Wire.JSON);
    }

    @Test
    void aStreamOfEventsMayBeSilentForLonger() throws Exception {
        HttpServing serving = impatient();
        String id = sessionInTime(serving);
        Http2Wire wire =
                Attempts.inTime(
                        () -> {
                            Http2Wire made = http2(serving);
                            return made.status(made.get(SESSION, id)) == 200
                                    ? Optional.of(made)
                                    : Optional.empty();
                        });
        Scripted session = reachable();

        outliveClientTimeout(serving);
        session.context.send(numbered(7));

        assertThat(wire.body(1, "\"n\":7")).contains("notifications/message");
    }
}
