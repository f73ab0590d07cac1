package dev.fairlead.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.shared.ReadingPlace;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A handler may leave a value in an {@link InheritableThreadLocal} of the thread that reads. No
 * thread that is started later has it, nor a value of the thread that served the server.
 */
@Tag("proof")
@Timeout(900)
@ParameterizedClass
@EnumSource(ReadingPlace.class)
class InheritedValuesTest {
    private static final InheritableThreadLocal<String> VALUE = new InheritableThreadLocal<>();
    private static final String NONE = "none";

    private final ReadingPlace place;
    private volatile @Nullable Blocking blocking; // taken by the next handler
    private volatile long thread; // of the latest handler that has ended
    private McpServer server;
    private McpClient client;

    /** The state that one handler waits for. */
    private static final class Blocking {
        private final CompletableFuture<Long> started = new CompletableFuture<>(); // its thread
        private final CountDownLatch released = new CountDownLatch(1);
    }

    InheritedValuesTest(ReadingPlace place) {
        this.place = place;
    }

    @BeforeEach
    void connect() throws Exception {
        VALUE.set("of the thread that serves");
        server =
                McpServer.named("values", "1")
                        .withoutRateLimit()
                        .tool("leave", "Leaves a value", NoInput.class, String.class)
                        .handle((none, call) -> leave())
                        .tool("quick", "Returns the value", NoInput.class, String.class)
                        .handle((none, call) -> value())
                        .tool("own", "Has a thread of its own", NoInput.class, String.class)
                        .ownThread()
                        .handle((none, call) -> value())
                        .tool("blocking", "Has a platform thread", NoInput.class, String.class)
                        .blocking()
                        .handle((none, call) -> value())
                        .build();
        client = place.connect(server);
    }

    @AfterEach
    void close() {
        VALUE.remove();
        client.close();
        server.close();
    }

    private String leave() throws InterruptedException {
        VALUE.set("left by a handler");
        Blocking wait = blocking;
        if (wait != null) {
            blocking = null;
            wait.started.complete(Thread.currentThread().threadId());
            wait.released.await();
        }
        return value();
    }

    private String value() {
        thread = Thread.currentThread().threadId();
        String value = VALUE.get();
        return value == null ? NONE : value;
    }

    private String call(String tool) throws InterruptedException {
        return client.tool(tool, JsonObject.class, String.class).call(JsonObject.EMPTY);
    }

    /** Calls a tool until it is quick, and shares the thread that reads where it can. */
    private void warmUp(String tool) throws InterruptedException {
        boolean shares = place != ReadingPlace.JETTY;
        long before = 0;
        for (int shared = 0;
                (shares && shared < 10) || !server.quickFeatures().contains("the tool " + tool); ) {
            call(tool);
            shared = thread == before ? shared + 1 : 0;
            before = thread;
        }
    }

    @Test
    void threadsOfSlowHandlersInheritNothing() throws Exception {
        assertThat(call("quick")).isEqualTo(NONE); // is slow yet
        warmUp("leave");

        for (int i = 0; i < 20; i++) {
            call("leave");
            assertThat(call("own")).isEqualTo(NONE);
            assertThat(call("blocking")).isEqualTo(NONE);
        }
        assertThat(call("quick")).isEqualTo(NONE); // is slow yet
    }

    /** The thread that reads is replaced by a fresh one, since its handler blocks. */
    @Test
    void aFreshReaderInheritsNothing() throws Exception {
        boolean replaced = false;
        while (!replaced) {
            warmUp("leave");
            long reader = thread;
            Blocking wait = new Blocking();
            blocking = wait;
            try (ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<String> answer = caller.submit(() -> call("leave"));
                // one that was slow lately, as on a busy machine, got a thread of its own
                replaced = wait.started.get() == reader || place == ReadingPlace.JETTY;
                if (replaced) {
                    warmUp("quick");
                    for (int i = 0; i < 40; i++) {
                        assertThat(call("quick")).isEqualTo(NONE);
                        assertThat(call("own")).isEqualTo(NONE);
                    }
                }
                wait.released.countDown();
                answer.get();
            } finally {
                wait.released.countDown();
            }
        }
        for (int i = 0; i < 40; i++) {
            assertThat(call("quick")).isEqualTo(NONE);
        }
    }
}
