package dev.fairlead.http.blocking;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ClosingTest;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Answers as a server may write them, well or badly. */
@Timeout(90)
class BlockingClientTest extends ClosingTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<Socket> connections = new LinkedBlockingQueue<>();
    private final BlockingQueue<Socket> ended = new LinkedBlockingQueue<>();
    private final CountDownLatch lookup = new CountDownLatch(1);
    private final AtomicLong now = new AtomicLong();
    private Duration timeout = Duration.ofDays(1);
    private ServerSocket server;
    private BlockingClient client;

    @BeforeEach
    void serve() throws IOException {
        server = closedLater(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")));
        client =
                closedLater(new BlockingClient(new Direct(), Thread::startVirtualThread, now::get));
        Thread.ofVirtual().start(this::accept);
    }

    private final class Direct implements Routes {
        @Override
        public Duration timeout() {
            return timeout;
        }

        @Override
        public @Nullable Via proxy(URI uri) {
            return null;
        }

        @Override
        public List<InetAddress> addresses(String host) throws UnknownHostException {
            if (host.equals("slow.example")) {
                Uninterruptibly.await(lookup::await);
            }
            return List.of(InetAddress.getByName("127.0.0.1"));
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                connections.add(socket);
                Thread.ofVirtual().start(() -> answer(socket));
            }
        } catch (IOException e) {
            // the test is over
        }
    }

    /** Writes the next answer after each head; one that ends with {@code END} is the last. */
    private void answer(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (true) {
                for (int ends = 0, c = in.read(); ends < 2; c = in.read()) {
                    if (c < 0) {
                        return;
                    }
                    ends = c == '\n' ? ends + 1 : c == '\r' ? ends : 0;
                    if (ends == 2) {
                        break;
                    }
                }
                String text = answers.take();
                boolean isLast = text.endsWith("END");
                socket.getOutputStream()
                        .write(text.replace("END", "").getBytes(StandardCharsets.ISO_8859_1));
                if (isLast) {
                    return;
                }
            }
        } catch (IOException | InterruptedException e) {
            // the client has gone
        } finally {
            ended.add(socket);
        }
    }

    private BlockingExchange exchange(String scheme) {
        return exchange(scheme, server.getLocalPort());
    }

    private BlockingExchange exchange(String scheme, int port) {
        URI uri = URI.create(scheme + "://localhost:" + port + "/a?b=c");
        return client.exchange(new OutgoingRequest("GET", uri, new HeaderFields(), null));
    }

    private IncomingResponse send(String answer) throws IOException {
        answers.add(answer);
        return exchange("http").send();
    }

    private String body(String answer) throws IOException {
        return new String(send(answer).body().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200\r\ncontent-length:2\r\n\r\nok",
                "HTTP/1.1 200 \nContent-Length: 2\n\nok",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200"
                        + " OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + "1;x=y\r\n"
                        + "o\r\n"
                        + "1 \r\n"
                        + "k\r\n"
                        + "0\r\n"
                        + "T: x\r\n\r\n",
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok",
            })
    void aCompleteAnswerLeavesItsConnectionToTheNext(String answer) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(body(answer)).isEqualTo("ok");
        }

        assertThat(connections).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\n\r\nokEND",
                "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\nforged",
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding:"
                        + " chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            })
    void anyOtherAnswerIsTheLastOfItsConnection(String answer) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(body(answer)).isEqualTo("ok");
        }

        assertThat(connections).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-x\r\n",
                "HTTP/2 200 OK\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 101 Switching\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\na b: c\r\n\r\n",
                "HTTP/1.1 200 OK\r\n: c\r\n\r\n",
                "HTTP/1.1 200 OK\r\n folded: c\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding:"
                        + " chunked\r\n\r\n",
            })
    void aHeadThatIsNoneIsRefused(String answer) {
        assertThatThrownBy(() -> send(answer)).isInstanceOf(ProtocolException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\r\n", "-1\r\n", "\r\n", "2\r\nokk\r\n", "0x2\r\nok\r\n"})
    void aChunkThatIsNoneIsRefused(String chunk) {
        assertThatThrownBy(
                        () -> body("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void whatGrowsWithoutAnEndIsRefused() {
        String ok = "HTTP/1.1 200 OK\r\n";
        for (String endless :
                new String[] {
                    "HTTP/1.1 100 Continue\r\n\r\n".repeat(20),
                    ok + "X: y\r\n".repeat(ResponseHead.MAX_FIELDS + 1),
                    ok + "X: " + "y".repeat(ResponseHead.MAX),
                    ok + ("X: " + "y".repeat(1_000) + "\r\n").repeat(70),
                    ok + "X: y\r\n" + " z\r\n".repeat(ResponseHead.MAX_FIELDS),
                    ok + "Transfer-Encoding: chunked\r\n\r\n2;" + "x".repeat(9_000),
                    ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "X: y\r\n".repeat(100),
                }) {
            assertThatThrownBy(() -> body(endless)).isInstanceOf(ProtocolException.class);
        }
    }

    /** Among these bytes may be the only event from which a stream can be resumed. */
    @Test
    @Requirement("SSE-011")
    void whatHasComeIsReadBeforeTheLossOfTheConnection() throws Exception {
        String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        InputStream in = send(head + "5\r\nid: 1\r\n9\r\ndataEND").body();

        assertThat(in.readNBytes(9)).asString().isEqualTo("id: 1data");
        assertThatThrownBy(in::read).isInstanceOf(EOFException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Keep-Alive: timeout=5 | 5",
                "keep-alive: max=100, Timeout = 5 | 5",
                "Keep-Alive: timeout=5, max=100 | 5",
                "Keep-Alive: timeout=500 | 30",
                "Keep-Alive: timeout=x | 30",
                "Keep-Alive: xtimeout=5 | 30",
                "X-Other: timeout=5 | 30",
            })
    void aConnectionIsUsedAsLongAsBothSidesKeepIt(String header, int seconds) throws Exception {
        String answer = OK.replace("\r\n\r\n", "\r\n" + header + "\r\n\r\n");
        assertThat(body(answer)).isEqualTo("ok");
        now.addAndGet(Duration.ofSeconds(seconds).toNanos() - 1);
        assertThat(body(answer)).isEqualTo("ok");
        assertThat(connections).hasSize(1);

        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
        assertThat(body(answer)).isEqualTo("ok");
        assertThat(connections).hasSize(2);
    }

    @Test
    void aConnectionThatTheServerHasEndedIsNotUsedAgain() throws Exception {
        assertThat(body(OK)).isEqualTo("ok");
        Socket first = connections.take();
        SocketConnection kept = client.kept(new Origin(false, "localhost", server.getLocalPort()));
        client.keep(kept, BlockingClient.KEPT);

        first.shutdownOutput();
        await().until(() -> !kept.isQuiet()); // the end has come

        assertThat(body(OK)).isEqualTo("ok");
        assertThat(connections).hasSize(1);
    }

    @Test
    void aBodyThatIsClosedEarlyClosesTheConnection() throws Exception {
        IncomingResponse response = send(OK);
        response.body().close();

        assertThatThrownBy(() -> response.body().read()).isInstanceOf(IOException.class);
        assertThat(ended.take()).isSameAs(connections.take());
    }

    @Test
    void anExchangeThatHasEndedTakesNothingFromTheNext() throws Exception {
        answers.add(OK);
        BlockingExchange first = exchange("http");
        assertThat(first.send().body().readAllBytes()).hasSize(2);
        IncomingResponse second = send(OK);

        first.abort();

        assertThat(second.body().readAllBytes()).hasSize(2);
        assertThat(connections).hasSize(1);
    }

    @Test
    void anotherThreadEndsAWait() throws Exception {
        BlockingExchange exchange = exchange("http");
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<IncomingResponse> sending =
                new FutureTask<>(
                        () -> {
                            begun.countDown();
                            return exchange.send();
                        });
        Thread.ofVirtual().start(sending);
        begun.await();
        connections.take();
        exchange.abort();

        assertThatThrownBy(sending::get).hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(exchange::send).isInstanceOf(IOException.class);
    }

    @Test
    void aLookupOfANameHoldsNoExchangeUp() throws Exception {
        for (boolean interrupted : new boolean[] {false, true}) {
            BlockingExchange exchange =
                    client.exchange(
                            new OutgoingRequest(
                                    "GET",
                                    URI.create("http://slow.example/"),
                                    new HeaderFields(),
                                    null));
            FutureTask<IncomingResponse> sending = new FutureTask<>(exchange::send);
            Thread thread = Thread.ofVirtual().start(sending);
            if (interrupted) {
                thread.interrupt();
            } else {
                exchange.abort();
            }

            assertThatThrownBy(sending::get).hasCauseInstanceOf(InterruptedIOException.class);
        }
        lookup.countDown();
    }

    @Test
    void theConnectionsThatWaitEndWithTheClient() throws Exception {
        body(OK);
        client.close();

        assertThat(ended.take()).isSameAs(connections.take());
        body(OK);
        assertThat(ended.take()).isSameAs(connections.take());
    }

    @Test
    void aHandshakeThatIsNotAnsweredIsGivenUp() {
        timeout = Duration.ofMillis(50);

        assertThatThrownBy(() -> exchange("https").send())
                .isInstanceOf(HttpConnectTimeoutException.class);
    }

    @Test
    void aPortWithoutAServerIsNamedAsSuch() throws Exception {
        try (Socket taken = new Socket()) { // has a port, without a listener
            taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));

            assertThatThrownBy(() -> exchange("http", taken.getLocalPort()).send())
                    .isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void aHeaderThatCannotBeSentIsRefused() {
        HeaderFields fields = new HeaderFields();
        for (String name : new String[] {"", "a b", "a:", "a\r\nb", "ä"}) {
            assertThatThrownBy(() -> fields.set(name, "x"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (String value : new String[] {"a\nb", "a\rb", "a\0", "\u0100", "\u007f"}) {
            assertThatThrownBy(() -> fields.set("a", value))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(fields.size()).isZero();
    }
}
