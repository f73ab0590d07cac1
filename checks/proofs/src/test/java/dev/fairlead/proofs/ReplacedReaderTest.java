package dev.fairlead.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.relay.Watchdog;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;
import dev.fairlead.test.shared.ReadingPlace;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A quick tool blocks on the thread that reads, which is replaced. However its call ends then, the
 * next requests are served by the new reader, which no interrupt reaches, and each call has one
 * response at most.
 */
@Tag("proof")
@Timeout(900)
@ParameterizedClass
@EnumSource(value = ReadingPlace.class, names = "JETTY", mode = EnumSource.Mode.EXCLUDE)
class ReplacedReaderTest {
    private static final Duration TIME = Duration.ofMillis(500);
    private static final Pattern RESPONSE =
            Pattern.compile("FINER sent .*\"id\":(\\d+),\"(?:result|error)\".*");

    /** The work of the tool that takes the place of an immediate result. */
    @FunctionalInterface
    interface Work {
        void run(Call call) throws Exception;
    }

    record Found(long thread, boolean interrupted) {}

    /** One call of the tool, on the thread that read it. */
    private final class Blocking implements Work {
        private final Work end;
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private final BlockingQueue<Throwable> interrupts = new LinkedBlockingQueue<>();
        private volatile Thread thread = Thread.currentThread();
        private Future<Found> answer;

        Blocking(Work end) {
            this.end = end;
        }

        /** Ends early if it is interrupted, as handlers should. */
        @Override
        public void run(Call call) throws Exception {
            thread = Thread.currentThread();
            started.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupts.add(e);
                throw e;
            }
            end.run(call);
        }

        Found result() throws Exception {
            try {
                return answer.get();
            } catch (ExecutionException e) {
                throw (Exception) e.getCause();
            }
        }
    }

    private final ReadingPlace place;
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicReference<Work> work = new AtomicReference<>();
    private Logged wire;
    private McpServer server;
    private McpClient client;
    private Blocking blocking;

    ReplacedReaderTest(ReadingPlace place) {
        this.place = place;
    }

    @BeforeEach
    void connect() throws Exception {
        server =
                McpServer.named("replaced", "1")
                        .withoutRateLimit()
                        .tool("turn", "Describes its thread", NoInput.class, Found.class)
                        .timeout(Duration.ofMinutes(5))
                        .handle((none, call) -> found(call))
                        .tool("limited", "Has a limit", NoInput.class, Found.class)
                        .timeout(TIME)
                        .handle((none, call) -> found(call))
                        .build();
        client = place.connect(server);
    }

    @AfterEach
    void close() {
        if (blocking != null) {
            blocking.released.countDown();
        }
        if (wire != null) {
            wire.close();
        }
        client.close();
        server.close();
        callers.close();
    }

    private Found found(Call call) throws Exception {
        Work now = work.getAndSet(null);
        if (now != null) {
            now.run(call);
        }
        Thread thread = Thread.currentThread();
        return new Found(thread.threadId(), thread.isInterrupted());
    }

    private Found call(String tool) throws InterruptedException {
        return client.tool(tool, JsonObject.class, Found.class).call(JsonObject.EMPTY);
    }

    /** Calls a tool until it has shared the thread that reads, and returns the id of that. */
    private long warmUp(String tool, int times) throws InterruptedException {
        long thread = 0;
        for (int shared = 0; shared < times; ) {
            long next = threadOf(tool);
            shared = next == thread ? shared + 1 : 0;
            thread = next;
        }
        return thread;
    }

    /** Returns -1 for a call that a busy machine has kept until it ran into its limit. */
    private long threadOf(String tool) throws InterruptedException {
        try {
            return call(tool).thread();
        } catch (ToolFailedException e) {
            assertThat(e).hasMessageContaining("500 ms");
            return -1;
        }
    }

    /** Calls the tool, which blocks on the reader, and waits until that is replaced. */
    private Blocking block(String tool, Work end) throws Exception {
        while (true) {
            long reader = warmUp(tool, 40); // then no single slow call makes it slow again
            long before = Watchdog.shared().replacements();
            Blocking next = new Blocking(end);
            blocking = next;
            work.set(next);
            wire = new Logged("dev.fairlead.wire", Level.FINER); // makes all slow
            next.answer = callers.submit(() -> call(tool));
            next.started.await();
            if (next.thread.threadId() == reader) {
                while (Watchdog.shared().replacements() == before && !next.answer.isDone()) {
                    Thread.onSpinWait();
                }
                if (!next.answer.isDone()) {
                    return next;
                }
            }
            wire.close();
            next.released.countDown(); // a busy machine has made the tool slow, or ended it early
            try {
                next.answer.get();
            } catch (ExecutionException e) {
                continue; // as the work of this test ends
            }
        }
    }

    private Blocking block(Work end) throws Exception {
        return block("turn", end);
    }

    /** Requests of slow and quick tools are served as if nothing had happened. */
    private void nextRequestsAreServed(Blocking former) throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            Found found = call("turn");
            assertThat(found.thread()).isNotEqualTo(former.thread.threadId());
            assertThat(found.interrupted()).isFalse();
        }
        var responses =
                wire.lines().stream()
                        .map(RESPONSE::matcher)
                        .filter(Matcher::matches)
                        .collect(
                                Collectors.groupingBy(
                                        line -> Integer.valueOf(line.group(1)),
                                        Collectors.counting()));
        assertThat(responses.size()).isGreaterThanOrEqualTo(20);
        assertThat(responses).allSatisfy((id, count) -> assertThat(count).isOne());
        wire.close();
        assertThat(warmUp("turn", 3)).isNotEqualTo(former.thread.threadId());
        assertThat(call("turn").interrupted()).isFalse();
    }

    @Test
    void aCallThatReturnsIsAnswered() throws Exception {
        Blocking blocked = block(call -> {});
        call("turn");
        blocked.released.countDown();

        assertThat(blocked.result()).isEqualTo(new Found(blocked.thread.threadId(), false));
        nextRequestsAreServed(blocked);
    }

    @Test
    void aCallIsCancelled() throws Exception {
        Blocking blocked = block(call -> {});
        blocked.answer.cancel(true);

        assertThat(blocked.interrupts.take()).isInstanceOf(InterruptedException.class);
        nextRequestsAreServed(blocked);
    }

    @Test
    void aCallIsCancelledWhileTheReaderIsBeingReplaced() throws Exception {
        for (int i = 0; i < 5; i++) { // each time it takes longer until the tool is quick again
            warmUp("turn", 40);
            Blocking next = new Blocking(call -> {});
            blocking = next;
            work.set(next);
            next.answer = callers.submit(() -> call("turn"));
            next.started.await();
            next.answer.cancel(true);

            assertThat(next.interrupts.take()).isInstanceOf(InterruptedException.class);
            assertThat(call("turn").interrupted()).isFalse();
        }
        assertThat(warmUp("turn", 3)).isNotEqualTo(blocking.thread.threadId());
    }

    @Test
    void aCallRunsIntoItsDeadline() throws Exception {
        Blocking blocked = block("limited", call -> {});

        assertThat(blocked.interrupts.take()).isInstanceOf(InterruptedException.class);
        assertThatThrownBy(blocked::result).hasMessageContaining("500 ms");
        nextRequestsAreServed(blocked);
    }

    @Test
    void aCallIsAnsweredByAnotherThreadInItsPlace() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Blocking blocked = block("limited", call -> awaitIgnoringInterrupts(end));
        blocked.released.countDown(); // and ignores its deadline

        assertThatThrownBy(blocked::result).hasMessageContaining("500 ms");
        call("turn");
        end.countDown();
        nextRequestsAreServed(blocked);
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                Thread.onSpinWait(); // ignored on purpose
            }
        }
    }

    @Test
    void aCallDisconnects() throws Exception {
        BlockingQueue<Boolean> disconnected = new LinkedBlockingQueue<>();
        Blocking blocked = block(call -> disconnected.add(call.disconnect(Duration.ofMillis(10))));
        blocked.released.countDown();

        assertThat(disconnected.take()).isEqualTo(place.isHttp());
        assertThat(blocked.result().thread()).isEqualTo(blocked.thread.threadId());
        nextRequestsAreServed(blocked);
    }

    @Test
    void aCallThrows() throws Exception {
        Blocking blocked =
                block(
                        call -> {
                            throw new StackOverflowError("expected by this test");
                        });
        blocked.released.countDown();

        assertThatThrownBy(blocked::result).isNotNull();
        nextRequestsAreServed(blocked);
    }

    @Test
    void aCallInterruptsItsOwnThread() throws Exception {
        Blocking blocked = block(call -> Thread.currentThread().interrupt());
        blocked.released.countDown();

        assertThat(blocked.result()).isEqualTo(new Found(blocked.thread.threadId(), true));
        nextRequestsAreServed(blocked);
    }
}
