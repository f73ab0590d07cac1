package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.PerRequestFrames;
import dev.fairlead.test.support.Threads;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Memory of held calls on the heap. */
@Tag("proof")
@Timeout(120)
class HeldCallsMemoryProofTest extends HeldCalls {
    private static final int MANY = 1_000;

    /** Half of it is the stack, whose frames are small only once they are compiled. */
    private static final long MOST_BYTES = 6 << 10;

    @Test
    @Requirement("N26-MRTR-015")
    void aThousandAbandonedCallsLeaveNothing() throws Exception {
        try (McpServer server = server().maxHeldCallsPerCaller(MANY).build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            for (int i = 0; i < MANY; i++) { // classes and pools of the first calls do not count
                JsonObject first = result(begin(here, at));
                JsonObject second = result(post(here, at, body("held", first, "A")));
                result(post(here, at, body("held", second, "B")));
            }
            await().untilAsserted(() -> assertThat(ended).hasValue(MANY));
            Map<String, Integer> threads = Threads.count();
            long before = used();
            for (int i = 0; i < MANY; i++) {
                assertThat(result(begin(here, at)).has("inputRequests")).isTrue();
            }
            long each = (used() - before) / MANY;
            assertThat(each).as("bytes of a held call").isLessThanOrEqualTo(MOST_BYTES);
            assertThat(begin(here, at).statusCode()).isEqualTo(429);
            assertThat(bodies).hasValue(2 * MANY);
            timers.advance(Duration.ofMinutes(10));
            await().untilAsserted(() -> assertThat(ended).hasValue(2 * MANY));
            Threads.awaitNoMoreThan(threads);
            await().untilAsserted(
                            () -> assertThat(used() - before).isLessThan(MANY * MOST_BYTES / 10));
            assertThat(result(begin(here, at)).has("inputRequests")).isTrue();
        }
    }

    @Test
    @Requirement("N26-MRTR-015")
    void ofLongArgumentsOnlyWhatTheHandlerGotIsKept() throws Exception {
        int some = 100;
        int length = 20_000;
        String body =
                body("long", null, "")
                        .replace(
                                "\"arguments\": {}",
                                "\"arguments\": {\"text\": \"" + "x".repeat(length) + "\"}");
        try (McpServer server = server().maxHeldCallsPerCaller(2 * some).build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            long before = 0;
            for (int i = 0; i < 2 * some; i++) { // classes and pools do not count
                before = i == some ? used() : before;
                result(here.send(request(at, "long", body), HttpResponse.BodyHandlers.ofString()));
            }
            long start = before;
            await().untilAsserted( // the last requests are let go a moment after their answers
                            () -> assertThat((used() - start) / some).isLessThan(length / 2));
        }
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
