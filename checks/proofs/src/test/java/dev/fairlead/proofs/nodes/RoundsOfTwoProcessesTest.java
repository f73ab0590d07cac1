package dev.fairlead.proofs.nodes;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.AlternatingProxy;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.test.support.Scale;
import dev.fairlead.test.support.StateKeyFile;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Two processes share nothing but a file of keys. Each client is behind a proxy that sends every
 * request to the other process than the request before, so every retry reaches the process that did
 * not ask.
 */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class RoundsOfTwoProcessesTest extends ClosingTest {
    private static final int CALLS = 1_000;
    private static final int CALLERS = 8;

    /**
     * The pause between two calls of a client: the calls take as long as the rotation of the keys.
     */
    private static final Duration PACE = Duration.ofMillis(Scale.of(20, 100));

    /** How long a state is valid unless the server sets another time. */
    private static final Duration TTL = Duration.ofMinutes(10);

    @TempDir Path folder;

    private final AtomicInteger calls = new AtomicInteger();
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final Set<String> tokens = ConcurrentHashMap.newKeySet();
    private final List<Future<?>> running = new ArrayList<>();
    private volatile boolean rotated;

    private StateKeyFile file;
    private List<ChildProcess> processes;

    /** A client of its own proxy, for one thread. */
    private final class Caller {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch mayAnswer;
        private final AlternatingProxy proxy;
        private final McpClient client;
        private volatile int number;

        /**
         * @param mayAnswer before which it does not answer
         */
        Caller(CountDownLatch mayAnswer) throws Exception {
            this.mayAnswer = mayAnswer;
            proxy =
                    closedLater(
                            new AlternatingProxy(
                                    processes.stream()
                                            .map(process -> URI.create(process.url()))
                                            .toList()));
            client =
                    closedLater(
                            McpClient.named("caller", "1")
                                    .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                    .requestTimeout(Duration.ofSeconds(60))
                                    .onElicitForm(this::answer)
                                    .connect(Http.to(proxy.uri())));
        }

        private Answer<?> answer(ElicitForm form) throws InterruptedException {
            asked.countDown();
            mayAnswer.await();
            return switch (form.message()) {
                case "First?" -> Answer.accept(JsonObject.of("a", "first of " + number));
                case "Second?" -> Answer.accept(JsonObject.of("b", "second of " + number));
                default -> throw new IllegalStateException(form.message());
            };
        }

        Void callUntilRotated() throws InterruptedException {
            while (!rotated || calls.get() < CALLS) {
                call();
                Thread.sleep(PACE);
            }
            return null;
        }

        /**
         * The first and the third round reach one process, the second the other one: only there is
         * the effect.
         */
        Void call() throws InterruptedException {
            number = calls.incrementAndGet();
            JsonObject seen =
                    (JsonObject)
                            client.callTool("interop_rounds", JsonObject.EMPTY).structuredContent();

            assertThat(seen)
                    .isEqualTo(
                            JsonObject.of(
                                    "token",
                                    seen.string("token"),
                                    "bodies",
                                    2,
                                    "effects",
                                    0,
                                    "key",
                                    seen.string("key"),
                                    "a",
                                    "first of " + number,
                                    "b",
                                    "second of " + number));
            keys.add(seen.string("key"));
            tokens.add(seen.string("token"));
            assertThat(proxy.failures()).isZero();
            return null;
        }
    }

    @BeforeEach
    void start() throws Exception {
        file = StateKeyFile.in(folder);
        processes = List.of(closedLater(serve()), closedLater(serve()));
    }

    private ChildProcess serve() throws Exception {
        return Program.start(
                "--fixtures", "--http", "127.0.0.1:0", "--state-keys", file.path().toString());
    }

    @Test
    @Requirement({"N26-MRTR-012", "N26-LIFE-003"})
    void everyRetryReachesTheOtherProcessAlsoWhileKeysAreRotated() throws Exception {
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        CountDownLatch moved = new CountDownLatch(1);
        Caller patient = new Caller(moved);
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(new Caller(new CountDownLatch(0)));
        }
        closedLater(threads::shutdownNow);

        running.add(threads.submit((Callable<?>) patient::call));
        for (Caller caller : callers) {
            running.add(threads.submit((Callable<?>) caller::callUntilRotated));
        }
        await("a question under the first key").until(() -> patient.asked.getCount() == 0);
        file.add();
        awaitRead(1);
        file.move();
        awaitRead(2);
        moved.countDown();
        if (Scale.isFull()) {
            Thread.sleep(TTL); // the condition is that this time has passed
            file.drop();
            awaitRead(3);
        }
        rotated = true;
        for (Future<?> caller : running) {
            caller.get(); // fails with the first call that was refused
        }

        assertThat(calls.get()).isGreaterThanOrEqualTo(CALLS);
        assertThat(keys).hasSize(calls.get());
        assertThat(tokens).hasSize(calls.get());
    }

    /** Waits until both processes have read the keys again so often, or a call has failed. */
    private void awaitRead(int times) {
        await("the keys are read again")
                .until(
                        () -> {
                            for (Future<?> caller : running) {
                                if (caller.isDone()) {
                                    caller.get();
                                }
                            }
                            return processes.stream().allMatch(one -> reads(one) == times);
                        });
    }

    private static long reads(ChildProcess process) {
        try (Stream<String> log = process.errors().lines()) {
            return log.filter(line -> line.endsWith("The keys of request states were read again"))
                    .count();
        }
    }
}
