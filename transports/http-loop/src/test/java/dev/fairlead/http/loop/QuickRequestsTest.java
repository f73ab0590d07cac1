package dev.fairlead.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Requests that are handled on the only loop, and handlers that block it, fail or interrupt it. */
@Timeout(60)
@ParameterizedClass
@ValueSource(booleans = {true, false})
class QuickRequestsTest {
    /** No single slow request makes a path slow again after so many that shared the loop. */
    private static final int WARM = 40;

    private final boolean virtual;
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final AtomicReference<Thread> blocking = new AtomicReference<>();
    private Listening listening;

    QuickRequestsTest(boolean virtual) {
        this.virtual = virtual;
    }

    @BeforeEach
    void listen() throws IOException {
        var settings =
                new EngineSettings(
                        "127.0.0.1", 0, Duration.ofMinutes(1), null, 100, Http2.WITH_TLS, 1);
        LoopEngine engine = new LoopEngine(virtual, () -> 0); // no handler is slow
        listening = engine.listen(settings, List.of(new Route("/", this::handle)));
    }

    @AfterEach
    void close() {
        release.countDown();
        listening.close();
    }

    /** Answers with the id of its thread, after the action that the body names. */
    private void handle(HttpExchange exchange) {
        try {
            String body = new String(exchange.body().readAllBytes(), StandardCharsets.ISO_8859_1);
            switch (body) {
                case "block" -> block();
                case "interrupt" -> Thread.currentThread().interrupt();
                case "checked" -> throwUnchecked(new Exception("expected by this test"));
                default -> {}
            }
            if (body.equals("task")) {
                exchange.run("a task", () -> answer(exchange));
            } else if (body.equals("elsewhere")) {
                Thread.ofVirtual().start(() -> exchange.run("own", () -> answer(exchange)));
            } else {
                answer(exchange);
            }
        } catch (IOException e) {
            exchange.respond(new ResponseHead(400, Map.of()), new byte[0]);
        }
    }

    /** Throws an exception that the compiler does not know of, as other languages do. */
    @SuppressWarnings("unchecked")
    private static <E extends Exception> void throwUnchecked(Exception exception) throws E {
        throw (E) exception;
    }

    private void block() {
        blocking.set(Thread.currentThread());
        blocked.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("the loop was interrupted", e);
        }
    }

    private static void answer(HttpExchange exchange) {
        Thread thread = Thread.currentThread();
        String answer =
                String.format(Locale.ROOT, "%08d %b", thread.threadId(), thread.isInterrupted());
        exchange.respond(
                new ResponseHead(200, Map.of()), answer.getBytes(StandardCharsets.US_ASCII));
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getByName("127.0.0.1"), listening.port());
    }

    private static void send(Socket socket, String... bodies) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (String body : bodies) {
            requests.append("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ")
                    .append(body.length())
                    .append("\r\n\r\n")
                    .append(body);
        }
        socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    @SuppressWarnings("deprecation") // the head has ASCII alone
    private static String receive(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int length = 0;
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        return new String(in.readNBytes(length), StandardCharsets.US_ASCII);
    }

    private static String ask(Socket socket, String body) throws IOException {
        send(socket, body);
        return receive(socket);
    }

    /** Asks until requests share a thread, and returns that. */
    private static String warmUp(Socket socket) throws IOException {
        String thread = "";
        for (int shared = 0; shared < WARM; ) {
            String next = ask(socket, "");
            shared = next.equals(thread) ? shared + 1 : 0;
            thread = next;
        }
        return thread;
    }

    @Test
    void requestsOfAllConnectionsShareTheThreadThatReadThem() throws Exception {
        try (Socket one = connect();
                Socket other = connect()) {
            warmUp(one);

            // on a busy machine a thread may be replaced at any time
            boolean shared = false;
            while (!shared) {
                String thread = ask(one, "");
                shared = ask(other, "").equals(thread) && ask(other, "task").equals(thread);
                assertThat(ask(other, "elsewhere")).isNotEqualTo(thread);
            }
        }
    }

    @Test
    void whileAHandlerBlocksOthersAreHandledByAFreshThread() throws Exception {
        try (Socket one = connect();
                Socket other = connect()) {
            warmUp(one);
            send(one, "block", "a", "b");
            blocked.await();
            String former = String.format(Locale.ROOT, "%08d false", blocking.get().threadId());
            send(one, "c"); // is read, and waits

            assertThat(ask(other, "")).isNotEqualTo(former);
            release.countDown();

            assertThat(receive(one)).isEqualTo(former);
            for (int i = 0; i < 3; i++) {
                assertThat(receive(one)).isNotEqualTo(former);
            }
            assertThat(ask(other, "")).isNotEqualTo(former);
        }
    }

    @Test
    void aClientThatEndsItsSideGetsTheAnswerOfAHandlerThatBlocked() throws Exception {
        try (Socket one = connect();
                Socket other = connect()) {
            warmUp(one);
            send(one, "block", "a");
            one.shutdownOutput();
            blocked.await();
            ask(other, "");
            release.countDown();

            receive(one);
            receive(one);
            assertThat(one.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aClientThatEndsItsSideAfterAQuickRequestIsClosed() throws Exception {
        try (Socket one = connect()) {
            warmUp(one);
            send(one, "a", "b");
            one.shutdownOutput();

            receive(one);
            receive(one);
            assertThat(one.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void theNextHandlerFindsNoInterrupt() throws Exception {
        try (Socket one = connect();
                Socket other = connect()) {
            warmUp(one);

            assertThat(ask(one, "interrupt")).endsWith("true");
            assertThat(ask(other, "")).endsWith("false");
            assertThat(ask(one, "")).endsWith("false");
        }
    }

    @Test
    void aCheckedExceptionEndsNoLoop() throws Exception {
        try (Socket slow = connect();
                Socket quick = connect();
                Socket other = connect()) {
            assertThat(ask(slow, "checked")).isEmpty();
            assertThat(slow.getInputStream().read()).isEqualTo(-1);
            warmUp(other);

            assertThat(ask(quick, "checked")).isEmpty();
            assertThat(quick.getInputStream().read()).isEqualTo(-1);
            assertThat(ask(other, "")).endsWith("false");
        }
    }

    @Test
    void theEndWaitsForNoHandler() throws Exception {
        try (Socket one = connect()) {
            warmUp(one);
            send(one, "block");
            blocked.await();

            listening.close();

            assertThat(one.getInputStream().read()).isEqualTo(-1);
            assertThat(blocking.get().isAlive()).isTrue();
        }
    }
}
