package dev.fairlead.proofs;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Question;
import dev.fairlead.test.support.Scale;
import dev.fairlead.test.support.Threads;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that are asked and never come back: threads, heap and descriptors are as before. */
@Tag("proof")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class AbandonedQuestionsTest {
    private static final int QUESTIONS = Scale.of(500, 10_000);
    private static final int HELD = Scale.of(100, 1_000);

    /** The increase that the JVM and the engine may have. */
    private static final int TOLERANCE = 5;

    /** The variation of the heap after a collection. */
    private static final long HEAP_TOLERANCE = 1 << 20;

    private static final List<byte[]> KEYS =
            List.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8));

    record Name(String name) {}

    private final ManualTimers timers = new ManualTimers();
    private final AtomicInteger ended = new AtomicInteger();
    private final McpServer server =
            Internals.withTimers(McpServer.named("abandoned", "1"), timers::share)
                    .requestState(RequestState.keys(KEYS))
                    .withoutRateLimit()
                    .maxHeldCallsPerCaller(HELD)
                    .tool("asks", "Asks", NoInput.class, String.class)
                    .handle((none, call) -> call.elicit("Name?", Name.class).orElseThrow().name())
                    .tool("holds", "Asks and holds its call", NoInput.class, String.class)
                    .holdsWhileAsking()
                    .handle(
                            (none, call) -> {
                                try {
                                    return call.ask(Question.elicit("Name?", Name.class).as("name"))
                                            .orElseThrow()
                                            .name();
                                } finally {
                                    ended.incrementAndGet();
                                }
                            })
                    .build();

    /** The resources of the process. */
    private record Possessions(int threads, long descriptors, long heap) {
        static Possessions now() {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            UnixOperatingSystemMXBean system =
                    (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return new Possessions(
                    Threads.count().values().stream().mapToInt(Integer::intValue).sum(),
                    system.getOpenFileDescriptorCount(),
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }

        boolean hasThreadsAndDescriptorsOf(Possessions other) {
            return threads == other.threads && descriptors == other.descriptors;
        }

        boolean isAsMuchAs(Possessions before) {
            return threads - before.threads <= TOLERANCE
                    && descriptors - before.descriptors <= TOLERANCE
                    && heap - before.heap <= HEAP_TOLERANCE;
        }
    }

    @Test
    @Requirement({"N26-MRTR-003", "N26-MRTR-015"})
    void nothingIsLeftOfClientsThatDoNotAnswer() throws Exception {
        try (server;
                PerRequestCaller caller = new PerRequestCaller();
                HttpServing serving =
                        server.serve(Http.port(0).requestRate(1_000_000, 1_000_000))) {
            abandon(caller, serving, "asks", QUESTIONS); // loaded classes do not count
            abandon(caller, serving, "holds", HELD);
            timers.advance(Duration.ofMinutes(10));
            await().untilAsserted(() -> assertThat(ended).hasValue(HELD));
            Possessions before = settled();

            abandon(caller, serving, "asks", QUESTIONS);
            awaitAsMuchAs(before, QUESTIONS + " abandoned questions");

            abandon(caller, serving, "holds", HELD);
            assertThat(Possessions.now().threads()).isGreaterThanOrEqualTo(HELD);
            timers.advance(Duration.ofMinutes(10));
            await().untilAsserted(() -> assertThat(ended).hasValue(2 * HELD));
            awaitAsMuchAs(before, HELD + " abandoned held calls");
        }
    }

    /** Returns the resources of the process after the calls whose handlers have ended. */
    private static Possessions settled() {
        Possessions last = Possessions.now();
        for (int same = 0; same < 3; ) {
            Possessions next = Possessions.now();
            same = next.hasThreadsAndDescriptorsOf(last) ? same + 1 : 0;
            last = next;
        }
        return last;
    }

    private static void abandon(
            PerRequestCaller caller, HttpServing serving, String tool, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            JsonObject asked = caller.call(serving.uri(), tool, JsonObject.EMPTY, "").result();
            assertThat(asked.string("resultType")).isEqualTo("input_required");
        }
    }

    private static void awaitAsMuchAs(Possessions before, String what) {
        await(what)
                .untilAsserted(
                        () -> {
                            Possessions now = Possessions.now();
                            assertThat(now.isAsMuchAs(before))
                                    .as("%s: %s, before: %s", what, now, before)
                                    .isTrue();
                        });
        System.out.println(what + ": before " + before + ", after " + Possessions.now());
    }
}
