package dev.fairlead.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.relay.Watchdog;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.Scale;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Quick handlers run on the thread that reads standard input, or waits for all HTTP connections.
 * With any change of the thread by them, the server keeps reading, and each call is answered once,
 * also where virtual threads have one carrier.
 */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@ParameterizedClass
@MethodSource("servers")
class QuickHandlersTest {
    record Work(int number, long sleepMillis) {}

    /** The state of the thread of a handler. */
    record Found(String name, boolean interrupted, boolean ownLoader) {}

    /** A server whose tools change their thread as handlers of users may do. */
    static final class Program {
        private static final ConcurrentHashMap<Integer, AtomicInteger> RUNS =
                new ConcurrentHashMap<>();

        private static final ExecutorService INTERRUPTERS =
                Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

        private static final Phaser INTERRUPTIONS = new Phaser(1);

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            try (McpServer server =
                    McpServer.named("quick", "1")
                            .withoutRateLimit()
                            .tool("work", "Works", Work.class, Integer.class)
                            .handle(
                                    (work, call) -> {
                                        if (work.sleepMillis() > 0) {
                                            Thread.sleep(work.sleepMillis());
                                        }
                                        AtomicInteger runs = new AtomicInteger();
                                        AtomicInteger before =
                                                RUNS.putIfAbsent(work.number(), runs);
                                        (before == null ? runs : before).incrementAndGet();
                                        return work.number();
                                    })
                            .tool("repeated", "Counts repeated runs", NoInput.class, Integer.class)
                            .handle(
                                    (none, call) ->
                                            (int)
                                                    RUNS.values().stream()
                                                            .filter(runs -> runs.get() != 1)
                                                            .count())
                            .tool("replaced", "Counts readers", NoInput.class, Integer.class)
                            .handle((none, call) -> (int) Watchdog.shared().replacements())
                            .tool("find", "Describes its thread", NoInput.class, Found.class)
                            .handle((none, call) -> found(loader))
                            .tool("spoil", "Changes its thread", NoInput.class, Long.class)
                            .handle((none, call) -> spoil())
                            .tool("thread", "Returns its thread", NoInput.class, Long.class)
                            .handle((none, call) -> Thread.currentThread().threadId())
                            .tool("late", "Is interrupted later", NoInput.class, Long.class)
                            .handle((none, call) -> interruptLater(Thread.currentThread()))
                            .tool("calm", "Awaits interruptions", NoInput.class, Long.class)
                            .ownThread()
                            .handle((none, call) -> (long) INTERRUPTIONS.arriveAndAwaitAdvance())
                            .tool("own", "Has a thread", NoInput.class, Long.class)
                            .ownThread()
                            .handle((none, call) -> Thread.currentThread().threadId())
                            .build()) {
                if (arguments[0].equals("stdio")) {
                    server.serve(Stdio.streams()).await();
                } else {
                    System.out.println(server.serve(Http.port(0)).port());
                    System.in.read();
                }
            }
        }

        private static Found found(ClassLoader loader) {
            Thread current = Thread.currentThread();
            return new Found(
                    current.getName(),
                    current.isInterrupted(),
                    current.getContextClassLoader() == loader);
        }

        private static long spoil() {
            Thread current = Thread.currentThread();
            current.setName("spoiled");
            current.setContextClassLoader(new ClassLoader() {});
            current.interrupt();
            return current.threadId();
        }

        /** Interrupts a thread for a while after its handler has returned. */
        private static long interruptLater(Thread thread) {
            INTERRUPTIONS.register();
            INTERRUPTERS.execute(
                    () -> {
                        for (int i = 0; i < 1_000; i++) {
                            thread.interrupt();
                            Thread.onSpinWait();
                        }
                        INTERRUPTIONS.arriveAndDeregister();
                    });
            return thread.threadId();
        }
    }

    /** The server of all tests with the same transport and carriers, and its client. */
    static final class Server implements AutoCloseable {
        private final String name;
        private final McpClient client;
        private Process process; // over HTTP

        private Server(String transport, int carriers) throws Exception {
            name = transport + ", " + carriers;
            List<String> command =
                    ChildJvm.command(
                            List.of(
                                    "-XX:TieredStopAtLevel=1",
                                    "-XX:+UseSerialGC",
                                    "-Djdk.virtualThreadScheduler.parallelism=" + carriers),
                            Program.class,
                            transport);
            if (transport.equals("stdio")) {
                client = McpClient.connect(Stdio.command(command.toArray(String[]::new)));
            } else {
                process =
                        new ProcessBuilder(command)
                                .redirectError(ProcessBuilder.Redirect.DISCARD)
                                .start();
                String port = process.inputReader().readLine();
                client = McpClient.connect(Http.to("http://127.0.0.1:" + port + "/mcp"));
            }
        }

        static Server start(String transport, int carriers) {
            try {
                return new Server(transport, carriers);
            } catch (Exception e) {
                throw new AssertionError("no server over " + transport, e);
            }
        }

        @Override
        public void close() {
            client.close();
            if (process != null) {
                process.destroyForcibly();
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final McpClient client;

    QuickHandlersTest(Server server) {
        client = server.client;
    }

    /** Starts each server for its tests, which close it. */
    static Stream<Server> servers() {
        return Stream.of("stdio", "http")
                .flatMap(
                        transport ->
                                IntStream.of(1, 2)
                                        .mapToObj(carriers -> Server.start(transport, carriers)));
    }

    /** Calls a tool that returns the id of its thread. */
    private long call(String tool) throws InterruptedException {
        return client.tool(tool, JsonObject.class, Long.class).call(JsonObject.EMPTY);
    }

    private Found find() throws InterruptedException {
        return client.tool("find", JsonObject.class, Found.class).call(JsonObject.EMPTY);
    }

    /**
     * Calls a tool until it is quick. A cold machine needs some thousand calls of up to 0.3 ms; a
     * tool that is still on threads of its own after five minutes never shares one.
     */
    private void warmUp(String tool) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        long thread = call(tool);
        int quick = 0;
        while (quick < 40) { // then no single slow call makes it slow again
            assertThat(System.nanoTime()).as("calls until now").isLessThan(deadline);
            long next = call(tool);
            quick = next == thread ? quick + 1 : 0;
            thread = next;
        }
    }

    @Test
    void quickHandlersShareTheReadingThread() throws InterruptedException {
        warmUp("thread");
        warmUp("late"); // another tool
    }

    @Test
    void handlersFindTheirThreadClean() throws InterruptedException {
        call("calm"); // after those of other tests
        warmUp("spoil");

        for (int i = 0; i < 100; i++) { // "find" becomes quick on the way, or does not
            call("spoil");
            Found found = find();
            assertThat(found.interrupted()).isFalse();
            assertThat(found.ownLoader()).isTrue();
            assertThat(found.name()).isEqualTo("mcp-request-tools/call");
        }
    }

    @Test
    void anInterruptThatComesAfterTheHandlerDoesNotEndTheConnection() throws InterruptedException {
        warmUp("late");

        for (int i = 0; i < 300; i++) {
            assertThat(call("late")).isPositive();
        }
    }

    @Test
    void aToolWithOwnThreadNeverSharesOne() throws InterruptedException {
        Set<Long> threads = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            assertThat(threads.add(call("own"))).isTrue();
        }
    }

    /** One call in a hundred sleeps 1 to 50 ms, which the server cannot foresee. */
    @Test
    void eachCallIsAnsweredOnceWhenHandlersBlockAtRandom() throws Exception {
        Random random = new Random(Scale.seed("quick handlers"));
        int before = replacements(); // by other tests
        int count = 0;
        do { // on a busy machine the tool may not be quick until now
            count = work(count, count + Scale.of(10_000, 1_000_000), random);
        } while (replacements() == before);

        assertThat(client.tool("repeated", JsonObject.class, Integer.class).call(JsonObject.EMPTY))
                .isZero();
    }

    /** Has each number between two worked on, and returns the end. */
    private int work(int first, int end, Random random) throws Exception {
        List<Future<Integer>> answers = new ArrayList<>();
        var work = client.tool("work", Work.class, Integer.class);
        try (ExecutorService callers = Executors.newFixedThreadPool(32)) {
            for (int i = first; i < end; i++) {
                int number = i;
                long sleep = random.nextInt(100) == 0 ? 1 + random.nextInt(50) : 0;
                answers.add(callers.submit(() -> work.call(new Work(number, sleep))));
            }
        }
        for (int i = first; i < end; i++) {
            assertThat(answers.get(i - first).get()).isEqualTo(i);
        }
        return end;
    }

    private int replacements() throws InterruptedException {
        return client.tool("replaced", JsonObject.class, Integer.class).call(JsonObject.EMPTY);
    }
}
