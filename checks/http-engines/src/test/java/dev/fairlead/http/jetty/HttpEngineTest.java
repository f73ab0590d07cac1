package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpMount;
import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.http.spi.Route;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The contract of an engine, on sockets. */
@Timeout(120)
class HttpEngineTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** Not a multiple of {@link #SHORT}: a connection times out then, and a write may fail. */
    private static final Duration LONGER = Duration.ofMillis(2_500);

    private final BlockingQueue<HttpExchange> exchanges = new LinkedBlockingQueue<>();

    private Listening listen(Duration clientTimeout) throws IOException {
        return Engines.tested()
                .listen(
                        new EngineSettings("127.0.0.1", 0, clientTimeout, null, 100, Http2.OFF, 0),
                        List.of(new Route("/mcp", exchanges::add)));
    }

    private HttpExchange exchange() throws InterruptedException {
        HttpExchange exchange = exchanges.poll(30, TimeUnit.SECONDS);
        assertThat(exchange).isNotNull();
        return exchange;
    }

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

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void anExchangeKnowsItsRequest() throws Exception {
        try (Listening listening = listen(LONG);
                Wire wire = new Wire(listening.port(), 0)) {
            wire.send("POST", "/mcp?a=b", Map.of("X-One", "1", "x-one", "2"), utf8("body"));
            HttpExchange exchange = exchange();

            assertThat(exchange.method()).isEqualTo("POST");
            assertThat(exchange.path()).isEqualTo("/mcp");
            assertThat(exchange.query()).contains("a=b");
            assertThat(exchange.scheme()).isEqualTo("http");
            assertThat(exchange.host()).contains("127.0.0.1:" + listening.port());
            assertThat(exchange.headers("X-ONE")).containsExactlyInAnyOrder("1", "2");
            assertThat(exchange.header("absent")).isEmpty();
            assertThat(exchange.localAddress()).contains(InetAddress.getByName("127.0.0.1"));
            assertThat(exchange.body().readAllBytes()).isEqualTo(utf8("body"));
            exchange.respond(new ResponseHead(201, Map.of("X-Two", "2")), utf8("answer"));
            Wire.Answer answer = wire.answer();
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.header("X-Two")).isEqualTo("2");
            assertThat(answer.header("Server")).isNull();
            assertThat(answer.body()).isEqualTo("answer");
        }
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
            assertThat(write(stream, "one\n").get(30, TimeUnit.SECONDS)).isEqualTo("written");
            wire.head();
            assertThat(wire.bodyLine()).isEqualTo("one");
            after(LONGER);
            assertThat(write(stream, "two\n").get(30, TimeUnit.SECONDS)).isEqualTo("written");
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

            assertThat(write(stream, "x".repeat(64 << 20)).get(30, TimeUnit.SECONDS))
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

    @Test
    void anAbortedStreamEndsBadly() throws Exception {
        try (Listening listening = listen(LONG);
                Wire wire = new Wire(listening.port(), 0)) {
            wire.post("{}");
            ResponseStream stream = exchange().stream(new ResponseHead(200, Map.of()));
            write(stream, "one\n").get(30, TimeUnit.SECONDS);
            wire.head();
            wire.bodyLine();
            stream.abort();
            stream.abort();

            org.assertj.core.api.Assertions.assertThatThrownBy(wire::bodyLine)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatTheEngineRefusesItselfHasNoBody() throws Exception {
        try (Listening listening = listen(LONG);
                Wire wire = new Wire(listening.port(), 0)) {
            wire.raw(utf8("NONSENSE\r\n\r\n"));
            Wire.Answer answer = wire.answer();

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).isEmpty();
        }
    }

    @Test
    void anEndpointIsMountedWithoutAPortOfItsOwn() throws Exception {
        ScriptedHost host = new ScriptedHost();
        HttpMount mount = Http.endpoint().path("/elsewhere").serve(host);
        EngineSettings settings = new EngineSettings("127.0.0.1", 0, LONG, null, 100, Http2.OFF, 0);
        try (Listening listening = Engines.tested().listen(settings, mount.routes());
                Wire wire = new Wire(listening.port(), 0)) {
            wire.send(
                    "POST",
                    "/elsewhere",
                    Map.of("Accept", Wire.BOTH, "Content-Type", Wire.JSON),
                    utf8(HttpTest.initialize("2025-11-25")));

            assertThat(wire.answer().header(HttpTest.SESSION)).isNotEmpty();
            assertThat(mount.sessions()).isEqualTo(1);
            mount.close();
            mount.await();
            assertThat(host.session().closed).isTrue();
        }
    }

    private static CompletableFuture<String> write(ResponseStream stream, String text) {
        CompletableFuture<String> done = new CompletableFuture<>();
        stream.write(
                ByteBuffer.wrap(utf8(text)),
                failure -> done.complete(failure == null ? "written" : "failed"));
        return done;
    }

    /** Lets time go by, which is what these tests are about. */
    static void after(Duration time) throws Exception {
        CompletableFuture.runAsync(
                        () -> {},
                        CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS))
                .get();
    }
}
