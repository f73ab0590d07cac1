package dev.fairlead.http.loop;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.protocol.relay.ManualWatchdog;
import dev.fairlead.test.support.Interleaving;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A loop, its connections and outputs, a relay, clients and handlers, of whose threads chance
 * decides after each step which one continues. However they meet, each request is answered once, in
 * order, and no wake-up is lost: no time passes here that would cover for one.
 */
@Timeout(600)
class LoopModelTest {
    private static final boolean FULL = "full".equals(System.getProperty("fairlead.proofs"));
    private static final int SEEDS = FULL ? 200_000 : 3_000;
    private static final long FIRST = Long.getLong("fairlead.seed", 0);

    private static Port port;

    @BeforeAll
    static void listen() throws IOException {
        EngineSettings settings =
                new EngineSettings(
                        "127.0.0.1", 0, Duration.ofHours(1), null, 1_000_000, Http2.WITH_TLS, 1);
        port = new Port(settings, List.of(), 1, Thread.ofVirtual().factory());
    }

    @AfterAll
    static void close() {
        port.close();
    }

    @Test
    void noWakeUpIsLost() throws Exception {
        long steps = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Model model = new Model(seed);
            try {
                model.run();
            } catch (AssertionError e) {
                throw new AssertionError("with -Dfairlead.seed=" + seed, e);
            }
            steps += model.threads.steps();
        }
        System.out.println("model of the loop: " + SEEDS + " seeds, " + steps + " steps");
    }

    /** Requests and answers in the order that follows from one seed. */
    private static final class Model {
        private final Interleaving threads;
        private final ManualWatchdog watchdog = new ManualWatchdog();
        private final Loop loop;
        private final List<Client> clients = new ArrayList<>();
        private final List<Connection> connections = new ArrayList<>();
        private int clientsLeft;
        private long nanos;

        Model(long seed) throws IOException {
            threads = new Interleaving(seed, () -> this);
            loop =
                    new Loop(
                            "model",
                            this::thread,
                            Duration.ofHours(1),
                            watchdog.watchdog(),
                            new ModelSelector(threads),
                            new Tasks(),
                            new ShortWaits(() -> 0, threads.choose(3)),
                            new HeldBack<>(this::nanoTime));
            int count = 1 + threads.choose(3);
            for (int i = 0; i < count; i++) {
                clients.add(new Client());
            }
            clientsLeft = count;
        }

        /** A response that a loop holds back may become due at any time. */
        private long nanoTime() {
            nanos += threads.choose(2) * HeldBack.WITHIN_NANOS;
            return nanos;
        }

        /** A handler may end between the decision to replace its thread and the replacement. */
        private Thread thread(Runnable task) {
            threads.step();
            return threads.thread(task);
        }

        void run() throws InterruptedException {
            threads.background(this::look).start();
            clients.forEach(client -> threads.thread(client).start());
            loop.start();
            threads.run();
        }

        private void look() {
            while (!threads.isOver()) {
                watchdog.look();
                threads.step();
            }
        }

        @Override
        public String toString() {
            return clients.toString();
        }

        /** The tasks that other threads leave for the loop. */
        private final class Tasks extends ConcurrentLinkedQueue<Runnable> {
            private static final long serialVersionUID = 1;

            @Override
            public boolean add(Runnable task) {
                threads.step();
                super.add(task);
                threads.step();
                return true;
            }

            @Override
            public boolean isEmpty() {
                threads.step();
                return super.isEmpty();
            }

            @Override
            public Runnable poll() {
                threads.step();
                return super.poll();
            }
        }

        /** A connection of a client, whose requests are handled by the model. */
        private final class Connection extends LoopConnection {
            private int given; // answers
            private int written;

            Connection(SocketChannel channel) throws IOException {
                super(loop, port, channel);
                connections.add(this);
            }

            @Override
            void answered(boolean last) {
                written++;
                super.answered(last);
            }

            /**
             * Returns whether no answer is held back until a handler of another connection ends.
             */
            private boolean isWritten() {
                return written == given;
            }

            @Override
            LoopExchange current() {
                threads.step();
                return super.current();
            }

            @Override
            void setCurrent(LoopExchange exchange) {
                threads.step();
                super.setCurrent(exchange);
                threads.step();
            }

            @Override
            boolean isPaused() {
                threads.step();
                return super.isPaused();
            }

            @Override
            void setPaused(boolean waits) {
                threads.step();
                super.setPaused(waits);
                threads.step();
            }

            @Override
            void leaveLoop(Runnable task) {
                if (loop.isWaiting()) {
                    threads.thread(task).start();
                    threads.step();
                } else {
                    task.run();
                }
            }

            @Override
            void handle(LoopExchange exchange) {
                port.unanswered().requested();
                if (threads.choose(4) == 0) {
                    threads.thread(() -> answer(exchange)).start();
                } else {
                    hold(() -> handleHere(exchange));
                }
            }

            private void handleHere(LoopExchange exchange) {
                switch (threads.choose(6)) {
                    case 0 -> answer(exchange);
                    case 1 -> {
                        threads.step();
                        answer(exchange);
                    }
                    case 2 -> {
                        long before = watchdog.watchdog().replacements();
                        threads.await(() -> watchdog.watchdog().replacements() > before);
                        answer(exchange);
                    }
                    case 3 -> threads.thread(() -> answer(exchange)).start();
                    case 4 -> {
                        threads.await(() -> connections.stream().allMatch(Connection::isWritten));
                        answer(exchange);
                        threads.await(this::isWritten);
                    }
                    default -> {
                        boolean[] done = {false};
                        Runnable task =
                                () -> {
                                    answer(exchange);
                                    done[0] = true;
                                };
                        threads.thread(task).start();
                        threads.await(() -> done[0]);
                    }
                }
                threads.step();
            }

            private void answer(LoopExchange exchange) {
                String text =
                        exchange.path().substring(1) + ":" + "x".repeat(threads.choose(200)) + ";";
                byte[] body = text.getBytes(StandardCharsets.US_ASCII);
                ResponseHead head = new ResponseHead(200, Map.of());
                threads.step();
                given++;
                if (threads.choose(2) == 0) {
                    exchange.respond(head, body);
                } else {
                    write(exchange.stream(head), ByteBuffer.wrap(body));
                }
            }

            private void write(ResponseStream stream, ByteBuffer left) {
                threads.step();
                if (!left.hasRemaining()) {
                    stream.end();
                    return;
                }
                int size = Math.min(left.remaining(), 2 + threads.choose(100));
                ByteBuffer piece = left.slice(left.position(), size);
                left.position(left.position() + size);
                stream.write(piece, failure -> write(stream, left));
            }
        }

        /** Sends requests, some at once, and reads the answers. */
        private final class Client implements Runnable {
            private final ModelChannel channel = new ModelChannel(50 + threads.choose(300));
            private final StringBuilder received = new StringBuilder();
            private int sent;
            private int answered;

            Client() throws IOException {}

            @Override
            public void run() {
                loop.execute(this::connect);
                int rounds = 1 + threads.choose(3);
                for (int round = 1; round <= rounds; round++) {
                    send(1 + threads.choose(3));
                    if (round == rounds && threads.choose(2) == 0) {
                        threads.step();
                        channel.endInput();
                    }
                    while (answered < sent) {
                        receive();
                    }
                }
                threads.step();
                channel.endInput();
                while (!channel.hasServerEnded() && !threads.isOver()) {
                    threads.await(channel::isReadableByClient);
                    channel.receive(); // the end of the last answer
                }
                if (--clientsLeft == 0) {
                    loop.beginStop();
                }
            }

            private void connect() {
                try {
                    var unused = new Connection(channel);
                } catch (IOException e) {
                    threads.check(false, "no connection: " + e);
                }
            }

            private void send(int count) {
                StringBuilder requests = new StringBuilder();
                for (int i = 0; i < count; i++) {
                    requests.append("GET /%s HTTP/1.1\r\nHost: a\r\n\r\n".formatted(sent++));
                }
                int half = threads.choose(requests.length());
                channel.send(requests.substring(0, half));
                threads.step();
                channel.send(requests.substring(half));
            }

            private void receive() {
                threads.await(channel::isReadableByClient);
                if (threads.isOver()) {
                    throw new AssertionError("waits for answer " + answered);
                }
                String text = channel.receive();
                threads.check(!text.isEmpty(), "answer " + answered + " is missing");
                received.append(text);
                for (int end = received.indexOf(";"); end >= 0; end = received.indexOf(";")) {
                    String answer = received.substring(0, end);
                    received.delete(0, end + 1);
                    threads.check(
                            answer.matches("(?s).*\n" + answered + ":.*"),
                            "answer " + answered + " is out of order: " + answer);
                    answered++;
                }
            }

            @Override
            public String toString() {
                return answered + " of " + sent + " answered, received: '" + received + "'";
            }
        }
    }
}
