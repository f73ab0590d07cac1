package dev.fairlead.proofs.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;

import dev.fairlead.http.Http;
import dev.fairlead.json.Matches;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** Calls with many texts, each of which is nearly as costly to match as one text may be. */
@Tag("proof")
@Timeout(900)
class PatternsAttackTest {
    record Part(@Matches("(.+)-(.+)-(.+)z") String name) {}

    record Parts(List<Part> parts) {}

    /** The time of processors that a ping may wait for: it would be minutes without a budget. */
    private static final Duration BOUND = Duration.ofSeconds(20);

    @Test
    void doNotHoldUpOtherClients() throws Exception {
        try (McpServer server =
                McpServer.named("attacked", "1")
                        .tool("count", "Counts", Parts.class, Integer.class)
                        .handle((parts, call) -> parts.parts().size())
                        .build()) {
            int port = server.serve(Http.port(0)).port();
            RawSession other = RawSession.open(port);
            String call = call();
            List<FutureTask<HttpAnswer>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                RawSession attacker = RawSession.open(port);
                FutureTask<HttpAnswer> posted = new FutureTask<>(() -> attacker.post(call));
                calls.add(posted);
                Thread.ofVirtual().start(posted);
            }
            long longest = 0;
            for (int i = 0; i < 50 || !calls.stream().allMatch(FutureTask::isDone); i++) {
                long start = computed();
                assertThat(
                                other.post(
                                                "{\"jsonrpc\":\"2.0\",\"id\":"
                                                        + i
                                                        + ",\"method\":\"ping\"}")
                                        .body())
                        .contains("\"result\":{}");
                longest = Math.max(longest, computed() - start);
            }
            assertThat(Duration.ofNanos(longest)).isLessThan(BOUND);
            for (FutureTask<HttpAnswer> posted : calls) {
                assertThat(posted.get().body()).contains("takes too much effort to match");
            }
        }
    }

    /** How many nanoseconds the processors have worked for this process. */
    private static long computed() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static String call() {
        StringBuilder call = new StringBuilder();
        call.append("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{");
        call.append("\"name\":\"count\",\"arguments\":{\"parts\":[");
        String name = "-a".repeat(62);
        for (int i = 0; i < 20_000; i++) {
            call.append(i == 0 ? "" : ",").append("{\"name\":\"").append(name).append("\"}");
        }
        return call.append("]}}}").toString();
    }
}
