package dev.fairlead.http.loop;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.relay.Watchdog;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/** Connections while the system has no more threads, or no more memory. */
@Timeout(60)
class NoThreadTest {
    private final AtomicBoolean threads = new AtomicBoolean(true);
    private final AtomicBoolean memory = new AtomicBoolean(true);
    private final AtomicBoolean handles = new AtomicBoolean(true);
    private final CountDownLatch handling = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private ServerSocketChannel listening;
    private Port port;
    private Loop loop;

    private static EngineSettings settings(int number) {
        return new EngineSettings(
                "127.0.0.1", number, Duration.ofMinutes(1), null, 100, Http2.WITH_TLS, 1);
    }

    @BeforeEach
    void start() throws IOException {
        port =
                new Port(
                        settings(0),
                        List.of(new Route("/", this::handle)),
                        1,
                        Thread.ofVirtual().factory());
        loop =
                new Loop(
                        "test",
                        Thread.ofVirtual().factory(),
                        Duration.ofMillis(100),
                        Watchdog.shared(),
                        Selector.open(),
                        new Tasks(),
                        ShortWaits.onThisMachine(),
                        new HeldBack<>());
        listening = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
    }

    @AfterEach
    void stop() throws Exception {
        release.countDown();
        loop.stop();
        port.close();
        listening.close();
    }

    /** The tasks that other threads leave for the loop. */
    private final class Tasks extends ConcurrentLinkedQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean add(Runnable task) {
            if (memory.compareAndSet(false, true)) {
                throw new OutOfMemoryError("expected by this test");
            }
            return super.add(task);
        }
    }

    private final class Connection extends LoopConnection {
        Connection(SocketChannel channel) throws IOException {
            super(loop, port, channel);
        }

        @Override
        void handle(LoopExchange exchange) {
            if (!handles.get()) {
                throw new OutOfMemoryError("expected by this test");
            }
            super.handle(exchange);
        }

        @Override
        void startThread(Runnable task) {
            if (!threads.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            super.startThread(task);
        }
    }

    private void handle(HttpExchange exchange) {
        handling.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        exchange.respond(new ResponseHead(200, Map.of()), new byte[0]);
    }

    private Socket connect() throws IOException {
        loop.start();
        Socket client = client();
        SocketChannel accepted = listening.accept();
        accepted.configureBlocking(false);
        loop.execute(
                () -> {
                    try {
                        var unused = new Connection(accepted);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
        return client;
    }

    private Socket client() throws IOException {
        Socket client = new Socket();
        client.setSoTimeout(60_000);
        client.connect(listening.getLocalAddress());
        return client;
    }

    private static void send(Socket client, int requests) throws IOException {
        client.getOutputStream()
                .write(
                        "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
                                .repeat(requests)
                                .getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads an answer without a body, and returns its status. */
    private static String status(BufferedReader in) throws IOException {
        String status = in.readLine();
        while (!in.readLine().isEmpty()) {}
        return status;
    }

    private static BufferedReader reader(Socket client) throws IOException {
        return new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
    }

    @Test
    void aRequestForWhichThereIsNoThreadIsAnsweredWith503() throws Exception {
        try (Socket client = connect()) {
            BufferedReader in = reader(client);
            threads.set(false);
            send(client, 2);

            assertThat(status(in)).contains(" 503 ");
            assertThat(status(in)).contains(" 503 ");
            port.awaitAnswered(Duration.ofDays(1));
            threads.set(true);
            release.countDown();
            send(client, 1);
            assertThat(status(in)).contains(" 200 ");
        }
    }

    @Test
    void aRequestThatWaitedForAnotherIsAnsweredAsWell() throws Exception {
        try (Socket client = connect()) {
            BufferedReader in = reader(client);
            send(client, 2);
            handling.await();
            threads.set(false);
            release.countDown();

            assertThat(status(in)).contains(" 200 ");
            assertThat(status(in)).contains(" 503 ");
            port.awaitAnswered(Duration.ofDays(1));
        }
    }

    /** Its bytes are lost: what follows them would be read as a request. */
    @Test
    void aConnectionWhoseNextRequestFindsNoMemoryIsClosed() throws Exception {
        try (Socket client = connect()) {
            BufferedReader in = reader(client);
            send(client, 2);
            handling.await();
            handles.set(false);
            release.countDown();

            assertThat(status(in)).contains(" 200 ");
            assertThat(in.readLine()).isNull();
        }
    }

    @Test
    void aPortThatFindsNoThreadIsFree() throws Exception {
        loop.start();

        // each time another process may take the port first
        await().until(NoThreadTest::isFreeAfterAFailure);
    }

    /** Returns whether a port can be bound once it failed. */
    private static boolean isFreeAfterAFailure() throws IOException {
        int number;
        try (ServerSocketChannel free =
                ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            number = free.socket().getLocalPort();
        }
        ThreadFactory none =
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                };
        try {
            assertThatThrownBy(() -> new Port(settings(number), List.of(), 2, none))
                    .isInstanceOfAny(OutOfMemoryError.class, BindException.class);
            new Port(settings(number), List.of(), 2, Thread.ofVirtual().factory()).close();
            return true;
        } catch (BindException e) {
            return false;
        }
    }

    @Test
    void aPortStaysOpenWhenAConnectionFindsNoMemory() throws Exception {
        listening.configureBlocking(false);
        var unused = new Acceptor(listening, port, List.of(loop), 1);
        memory.set(false);
        loop.start();
        try (Socket first = client()) {
            assertThat(first.getInputStream().read()).isEqualTo(-1);
        }
        try (Socket second = client()) {
            release.countDown();
            send(second, 1);

            assertThat(status(reader(second))).contains(" 200 ");
        }
    }

    /** The task by which a closed connection makes room finds no memory. */
    @Test
    void aFullPortAcceptsAgain() throws Exception {
        listening.configureBlocking(false);
        Acceptor acceptor = new Acceptor(listening, port, List.of(loop), 1);
        loop.start();
        release.countDown();
        try (Socket first = client();
                Socket second = client()) {
            send(first, 1);
            assertThat(status(reader(first))).contains(" 200 ");
            send(second, 1);
            memory.set(false);
            assertThatThrownBy(acceptor::closed).isInstanceOf(OutOfMemoryError.class);

            assertThat(status(reader(second))).contains(" 200 ");
        }
    }
}
