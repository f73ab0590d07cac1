package dev.fairlead.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Requests that clients send while an earlier one of theirs is answered. There is one loop. */
@Timeout(60)
class SentAheadTest {
    private static final String REQUEST = "GET /%s HTTP/1.1\r\nHost: x\r\n\r\n";

    private final CountDownLatch released = new CountDownLatch(1);
    private final BytesAhead ahead = new BytesAhead(256 << 10);
    private final List<SocketChannel> clients = new ArrayList<>();
    private final Port port;

    SentAheadTest() throws IOException {
        var settings =
                new EngineSettings(
                        "127.0.0.1", 0, Duration.ofMinutes(5), null, 1_000, Http2.WITH_TLS, 1);
        port =
                new Port(
                        settings,
                        List.of(
                                new Route("/quick", SentAheadTest::answer),
                                new Route("/fails", SentAheadTest::failInItsStream),
                                new Route("/waits", this::answerOnceReleased)),
                        1,
                        Thread.ofPlatform().daemon().factory(),
                        () -> 0,
                        ahead);
    }

    @AfterEach
    void close() throws IOException {
        released.countDown();
        for (SocketChannel client : clients) {
            client.close();
        }
        port.close();
    }

    private static void answer(HttpExchange exchange) {
        exchange.respond(new ResponseHead(200, Map.of()), new byte[] {'!'});
    }

    private static void failInItsStream(HttpExchange exchange) {
        exchange.stream(new ResponseHead(200, Map.of()));
        throw new IllegalStateException("fails in its stream");
    }

    private void answerOnceReleased(HttpExchange exchange) {
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                released.await();
                                answer(exchange);
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
    }

    /** Sends as much as the network takes. */
    private SocketChannel send(String text) throws IOException {
        SocketChannel client = SocketChannel.open(new InetSocketAddress("127.0.0.1", port.port()));
        clients.add(client);
        client.configureBlocking(false);
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining() && client.write(bytes) > 0) {}
        return client;
    }

    /**
     * Sends a request of another client: once it is answered, the loop has read all bytes sent
     * before it.
     */
    private String status() throws IOException {
        try (Socket client = new Socket("127.0.0.1", port.port())) {
            client.getOutputStream()
                    .write(REQUEST.formatted("quick").getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader =
                    new BufferedReader(
                            new InputStreamReader(
                                    client.getInputStream(), StandardCharsets.US_ASCII));
            return reader.readLine();
        }
    }

    @Test
    void littleIsReadWhileARequestIsAnswered() throws IOException {
        send(REQUEST.formatted("waits"));
        assertThat(status()).contains("200");

        SocketChannel client = clients.getFirst();
        ByteBuffer flood = ByteBuffer.allocate(1 << 20);
        while (flood.hasRemaining() && client.write(flood) > 0) {}
        assertThat(status()).contains("200");
        assertThat(status()).contains("200");

        assertThat(ahead.waiting()).isLessThanOrEqualTo(BytesAhead.FEW);
    }

    @Test
    void allConnectionsTogetherKeepNoMoreThanTheirShare() throws IOException {
        String request = REQUEST.formatted("waits");
        for (int i = 0; i < 100; i++) {
            send(request + REQUEST.formatted("quick").repeat(2_000)); // 64 KiB
            assertThat(status()).contains("200");
        }

        assertThat(ahead.waiting())
                .isLessThanOrEqualTo((128 << 10) + (64 << 10) + 100L * BytesAhead.FEW);
    }

    /** A handler may wait for long before it reads a body, or answer without it. */
    @Test
    void ofABodyThatIsNotReadLittleIsKept() throws IOException {
        String head = "POST /waits HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n";
        for (int i = 0; i < 100; i++) {
            send(head + "x".repeat(200_000));
            assertThat(status()).contains("200");
            assertThat(status()).contains("200");
        }
        assertThat(ahead.waiting())
                .isPositive()
                .isLessThanOrEqualTo((128 << 10) + (64 << 10) + 100L * 2 * BytesAhead.FEW);

        released.countDown();
        for (SocketChannel client : clients) {
            client.configureBlocking(true);
            ByteBuffer in = ByteBuffer.allocate(1_000);
            while (client.read(in) >= 0) {} // until the end, which follows the answer
            assertThat(new String(in.array(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 ");
        }
        assertThat(ahead.waiting()).isZero();
    }

    @Test
    void aRouteThatFailsInItsStreamLeavesNoCount() throws IOException {
        String head = "POST /fails HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n";
        SocketChannel client = send(head + "x".repeat(200_000));
        client.configureBlocking(true);
        try {
            while (client.read(ByteBuffer.allocate(1_000)) >= 0) {}
        } catch (IOException e) {
            // it is reset
        }
        assertThat(status()).contains("200");
        assertThat(ahead.waiting()).isZero();
    }

    @Test
    void whatWasSentAheadIsAnsweredInTheEnd() throws IOException {
        String request = REQUEST.formatted("waits");
        SocketChannel client = send(request + REQUEST.formatted("quick").repeat(3_000));
        assertThat(status()).contains("200");
        released.countDown();
        client.configureBlocking(true);

        int answers = 0;
        ByteBuffer in = ByteBuffer.allocate(64 << 10);
        while (answers < 2_001 && client.read(in.clear()) > 0) {
            answers +=
                    (int)
                            new String(in.array(), 0, in.position(), StandardCharsets.US_ASCII)
                                    .chars()
                                    .filter(character -> character == '!')
                                    .count();
        }
        assertThat(answers).isGreaterThan(2_000);
        client.close();
        clients.clear();
    }

    @Test
    void headsThatDoNotEndAreRefusedOnceTheRoomIsTaken() throws IOException {
        String unended = "GET /quick HTTP/1.1\r\nX: " + "x".repeat(7_000);
        List<SocketChannel> slow = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            slow.add(send(unended));
            assertThat(status()).contains("200");
        }

        assertThat(ahead.waiting()).isLessThanOrEqualTo((256 << 10) + 7_100);
        SocketChannel last = slow.getLast();
        last.configureBlocking(true);
        ByteBuffer in = ByteBuffer.allocate(1_000);
        assertThat(last.read(in)).isPositive();
        assertThat(new String(in.array(), 0, in.position(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 503 ");
    }
}
