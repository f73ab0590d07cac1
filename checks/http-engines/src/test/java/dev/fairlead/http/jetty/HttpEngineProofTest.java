package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** How long an engine waits for clients. */
@Tag("proof")
@Timeout(120)
class HttpEngineProofTest extends OnEngineTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** Not a multiple of {@link #SHORT}: a connection times out then, and a write may fail. */
    private static final Duration LONGER = Duration.ofMillis(2_500);

    /** A request that has arrived, and its connection. */
    private record Arrived(Wire wire, HttpExchange exchange) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            wire.close();
        }
    }

    /** On a slow machine a connection may be closed as idle before its request has arrived. */
    private Arrived arrive(Listening listening, int receiveBuffer, String length, String body) {
        AtomicInteger attempts = new AtomicInteger();
        return Attempts.inTime(
                () -> {
                    String attempt = Integer.toString(attempts.incrementAndGet());
                    Wire wire = new Wire(listening.port(), receiveBuffer);
                    wire.send(
                            "POST",
                            Map.of("Content-Length", length, "X-Attempt", attempt),
                            utf8(body));
                    HttpExchange exchange = exchange(attempt);
                    if (exchange == null) {
                        wire.close();
                    }
                    return Optional.ofNullable(exchange).map(came -> new Arrived(wire, came));
                });
    }

    private HttpExchange exchange(String attempt) throws InterruptedException {
        HttpExchange exchange = exchanges.poll(5, TimeUnit.SECONDS);
        while (exchange != null && !exchange.headers("X-Attempt").equals(List.of(attempt))) {
            exchange = exchanges.poll(5, TimeUnit.SECONDS); // that one was given up
        }
        return exchange;
    }

    @Test
    void anAnswerMayTakeLongerThanAConnectionMayBeIdle() throws Exception {
        try (Listening listening = listen(SHORT);
                Arrived request = arrive(listening, 0, "2", "{}")) {
            after(LONGER);
            request.exchange().respond(new ResponseHead(200, Map.of()), utf8("late"));

            assertThat(request.wire().answer().body()).isEqualTo("late");
        }
    }

    @Test
    void aStreamMayBeSilentForLongerThanAConnectionMayBeIdle() throws Exception {
        try (Listening listening = listen(SHORT);
                Arrived request = arrive(listening, 0, "2", "{}")) {
            Wire wire = request.wire();
            ResponseStream stream = request.exchange().stream(new ResponseHead(200, Map.of()));
            assertThat(write(stream, "one\n").get(60, TimeUnit.SECONDS)).isEqualTo("written");
            wire.head();
            assertThat(wire.bodyLine()).isEqualTo("one");
            after(LONGER);
            assertThat(write(stream, "two\n").get(60, TimeUnit.SECONDS)).isEqualTo("written");
            assertThat(wire.bodyLine()).isEqualTo("two");
            stream.end();
            assertThat(wire.bodyLine()).isNull();
        }
    }

    @Test
    void aWriteThatMakesNoProgressFails() throws Exception {
        try (Listening listening = listen(SHORT);
                Arrived request = arrive(listening, 4096, "2", "{}")) {
            ResponseStream stream = request.exchange().stream(new ResponseHead(200, Map.of()));

            assertThat(write(stream, "x".repeat(64 << 20)).get(60, TimeUnit.SECONDS))
                    .isEqualTo("failed");
            stream.abort();
        }
    }

    @Test
    void aBodyThatStopsComingFails() throws Exception {
        try (Listening listening = listen(SHORT);
                Arrived request = arrive(listening, 0, "10", "half")) {
            assertThatThrownBy(() -> request.exchange().body().readAllBytes())
                    .isInstanceOf(IOException.class);
        }
    }

    /** Waits for real time to pass, the subject of these tests. */
    static void after(Duration time) throws Exception {
        CompletableFuture.runAsync(
                        () -> {},
                        CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS))
                .get();
    }
}
