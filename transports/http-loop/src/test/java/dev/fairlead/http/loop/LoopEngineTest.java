package dev.fairlead.http.loop;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.http.spi.Route;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The behaviour of this engine that others do not share. */
@Timeout(60)
class LoopEngineTest {
    private Listening listening;

    private void listen(boolean virtual, Duration timeout, Route.Handler handler)
            throws IOException {
        listening =
                new LoopEngine(virtual)
                        .listen(
                                settings(timeout, Http2.WITH_TLS),
                                List.of(new Route("/", handler)));
    }

    private static EngineSettings settings(Duration timeout, Http2 http2) {
        return new EngineSettings("127.0.0.1", 0, timeout, null, 100, http2, 2);
    }

    @AfterEach
    void close() {
        if (listening != null) {
            listening.close();
        }
    }

    /** Sends all, ends the sending, and gives all answers without their dates. */
    private String answers(String requests) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), listening.port())) {
            socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            byte[] answers = socket.getInputStream().readAllBytes();
            return new String(answers, StandardCharsets.ISO_8859_1)
                    .replaceAll("Date: [^\r]*\r\n", "");
        }
    }

    private static void echo(HttpExchange exchange) {
        try {
            byte[] body = exchange.body().readAllBytes();
            exchange.respond(new ResponseHead(200, Map.of()), body);
        } catch (IOException e) {
            exchange.respond(new ResponseHead(400, Map.of()), new byte[0]);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requestsOnEachOthersHeelsAreAnsweredInTheirOrderAlsoAfterTheLastByte(boolean virtual)
            throws Exception {
        listen(virtual, Duration.ofMinutes(1), LoopEngineTest::echo);
        StringBuilder requests = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        for (int i = 1000; i < 1500; i++) {
            requests.append("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n").append(i);
            expected.append("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n").append(i);
        }

        assertThat(answers(requests.toString())).hasToString(expected.toString());
    }

    @Test
    void aHeadRequestGetsNoBody() throws Exception {
        listen(
                true,
                Duration.ofMinutes(1),
                exchange -> exchange.respond(new ResponseHead(200, Map.of()), new byte[7]));

        assertThat(answers("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"))
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n");
    }

    @Test
    void aStreamForAnOldClientEndsWithTheConnection() throws Exception {
        listen(
                true,
                Duration.ofMinutes(1),
                exchange -> {
                    ResponseStream stream = exchange.stream(new ResponseHead(200, Map.of()));
                    ByteBuffer bytes = ByteBuffer.wrap("piece".getBytes(StandardCharsets.UTF_8));
                    stream.write(bytes, failure -> stream.end());
                });

        assertThat(answers("GET / HTTP/1.0\r\nHost: a\r\n\r\n"))
                .isEqualTo("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\npiece");
    }

    @Test
    void aBodyIsAskedForWhenItIsRead() throws Exception {
        listen(true, Duration.ofMinutes(1), LoopEngineTest::echo);
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), listening.port())) {
            String head =
                    "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                            + "Content-Length: 2\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            String asked = "HTTP/1.1 100 Continue\r\n\r\n";
            assertThat(socket.getInputStream().readNBytes(asked.length()))
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo(asked);
            socket.getOutputStream().write("{}".getBytes(StandardCharsets.US_ASCII));
            String ok = "HTTP/1.1 200 OK\r\n";
            assertThat(socket.getInputStream().readNBytes(ok.length()))
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo(ok);
        }
    }

    @Test
    void aHeadThatStopsIsAnsweredWith408() throws Exception {
        listen(true, Duration.ofMillis(100), LoopEngineTest::echo);
        String status =
                await().ignoreExceptionsInstanceOf(IOException.class) // it may be reset, too
                        .until(this::answerToHalfOfAHead, answer -> !answer.isEmpty());

        assertThat(status).isEqualTo("HTTP/1.1 408 Request Timeout");
    }

    /** The status; nothing where the connection was closed before anything came on it. */
    private String answerToHalfOfAHead() throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), listening.port())) {
            socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .replaceFirst("(?s)\r\n.*", "");
        }
    }

    @Test
    void aHandlerThatThrowsAnswersWith500() throws Exception {
        listen(
                true,
                Duration.ofMinutes(1),
                exchange -> {
                    throw new IllegalStateException("of a test");
                });

        assertThat(answers("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
                .startsWith("HTTP/1.1 500 Internal Server Error\r\n");
    }

    @Test
    void aHeaderThatCannotBeSentIsRefusedAndAnsweredWith500() throws Exception {
        listen(
                true,
                Duration.ofMinutes(1),
                exchange ->
                        assertThatThrownBy(
                                        () ->
                                                exchange.respond(
                                                        new ResponseHead(
                                                                200, Map.of("A", "b\r\nC: d")),
                                                        new byte[0]))
                                .isInstanceOf(IllegalArgumentException.class));

        assertThat(answers("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
                .startsWith("HTTP/1.1 500 ")
                .doesNotContain("C: d");
    }

    @Test
    void theFirstRequestOfAConnectionIsAwaitedWhenNoMoreAreTaken() throws Exception {
        listen(true, Duration.ofMinutes(1), LoopEngineTest::echo);
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), listening.port())) {
            Thread stopping =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            listening.stopAccepting(Duration.ofHours(1));
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        }
                                    });
            await().until(this::refusesConnections);
            assertThat(stopping.isAlive()).isTrue();

            String request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));

            String ok = "HTTP/1.1 200 OK\r\n";
            assertThat(socket.getInputStream().readNBytes(ok.length()))
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo(ok);
            stopping.join();
        }
    }

    private boolean refusesConnections() throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), listening.port())) {
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }

    @Test
    void itServesPlainHttpAlone() {
        LoopEngine engine = new LoopEngine();

        assertThat(engine.serves(settings(Duration.ofSeconds(1), Http2.WITH_TLS))).isTrue();
        assertThat(engine.serves(settings(Duration.ofSeconds(1), Http2.OFF))).isTrue();
        assertThat(engine.serves(settings(Duration.ofSeconds(1), Http2.ALWAYS))).isFalse();
    }
}
