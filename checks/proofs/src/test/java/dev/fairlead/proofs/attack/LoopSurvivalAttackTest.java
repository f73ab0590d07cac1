package dev.fairlead.proofs.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.RawSession;
import dev.fairlead.test.support.Scale;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Clients that try to end the thread of an HTTP engine, or to keep it busy. */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class LoopSurvivalAttackTest {
    private static final int ROUNDS = Scale.of(4, 15);

    /** Ten calls at once allocate until there is no memory; others call meanwhile. */
    @ParameterizedTest
    @CsvSource({"loop, 96m", "loop, 128m", "jetty, 96m"})
    void aMomentWithoutMemoryEndsNoEngine(String engine, String heap) throws Exception {
        try (SmallHeap attacked = SmallHeap.startSurviving(GreedyServer.class, heap, engine)) {
            // Java can never use a class that is first used without memory
            assertThat(worksAgain(attacked)).as(attacked.log()).contains("small");
            for (int round = 0; round < ROUNDS; round++) {
                exhaust(attacked.port());
                assertThat(worksAgain(attacked)).as(attacked.log()).contains("small");
            }
        }
    }

    private static void exhaust(int port) throws InterruptedException {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String tool = i < 10 ? "exhaust" : "small";
            callers.add(Thread.ofVirtual().start(() -> callOnce(port, tool)));
        }
        for (Thread caller : callers) { // a lost answer may leave its stream open
            caller.join(Duration.ofSeconds(20));
        }
    }

    /** Without memory a call may fail in any way. */
    private static void callOnce(int port, String tool) {
        try {
            RawSession.open(port, Caller.loopback(2)).post(RawSession.call(1, tool));
        } catch (IOException | RuntimeException | AssertionError e) {
            // the next call shows whether the server lives
        }
    }

    private static String worksAgain(SmallHeap attacked) throws Exception {
        for (int attempt = 0; attempt < 30; attempt++) {
            try {
                return Caller.works(attacked.port(), 3).body();
            } catch (IOException | RuntimeException | AssertionError e) {
                Thread.sleep(1_000);
            }
        }
        return "no answer for 30 s";
    }

    /** Each has a stream of events open, and sends 64 KiB that are not read yet. */
    @ParameterizedTest
    @ValueSource(strings = {"loop", "jetty"})
    void bytesThatAreSentAheadTakeNoMemory(String engine) throws Exception {
        List<SocketChannel> clients = new ArrayList<>();
        try (SmallHeap attacked = SmallHeap.start(GreedyServer.class, "96m", engine)) {
            for (int i = 0; i < 3_000; i++) {
                int address = 4 + i % 100;
                String session = RawSession.open(attacked.port(), Caller.loopback(address)).id();
                SocketChannel client = connect(attacked.port(), address);
                clients.add(client);
                send(client, ByteBuffer.wrap(listen(session)));
                send(client, ByteBuffer.allocate(64 << 10));
            }
            assertThat(worksAgain(attacked)).as(attacked.log()).contains("small");
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    private static byte[] listen(String session) {
        return ("GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
                        + "MCP-Session-Id: "
                        + session
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** 64 KiB of requests at once on each of 500 connections: others have their turn meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"loop", "jetty"})
    void requestsThatAreSentAtOnceStarveNoOtherClient(String engine) throws Exception {
        String one = "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        ByteBuffer many =
                ByteBuffer.wrap(
                        one.repeat((64 << 10) / one.length()).getBytes(StandardCharsets.US_ASCII));
        List<SocketChannel> clients = new ArrayList<>();
        CountDownLatch over = new CountDownLatch(1);
        try (SmallHeap attacked = SmallHeap.start(GreedyServer.class, "256m", engine)) {
            RawSession session = RawSession.open(attacked.port(), Caller.loopback(3));
            for (int i = 0; i < 500; i++) {
                clients.add(connect(attacked.port(), 4 + i % 100));
            }
            Thread flood =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        for (SocketChannel client : clients) {
                                            send(client, many.duplicate());
                                        }
                                        over.countDown();
                                    });
            long begun = System.nanoTime();
            long worst = 0;
            for (int i = 0; i < 100 || over.getCount() > 0; i++) {
                long started = System.nanoTime();
                assertThat(session.post(RawSession.call(i + 2, "small")).body()).contains("small");
                worst = Math.max(worst, System.nanoTime() - started);
            }
            flood.join();
            long all = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            if (engine.equals("loop")) { // Jetty answers all that came before: see the known gaps
                assertThat(TimeUnit.NANOSECONDS.toMillis(worst))
                        .as("of %s ms", all) // a slow machine makes both longer
                        .isLessThan(Math.max(5_000, all / 2));
            }
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    private static SocketChannel connect(int port, int address) throws IOException {
        SocketChannel client = SocketChannel.open();
        client.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 10);
        client.setOption(StandardSocketOptions.SO_LINGER, 0);
        client.bind(new InetSocketAddress(Caller.loopback(address), 0));
        client.connect(new InetSocketAddress("127.0.0.1", port));
        client.configureBlocking(false);
        return client;
    }

    /** Sends as much as the network takes now. */
    private static void send(SocketChannel client, ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining() && client.write(bytes) > 0) {}
        } catch (IOException e) {
            // the server has closed the connection
        }
    }
}
