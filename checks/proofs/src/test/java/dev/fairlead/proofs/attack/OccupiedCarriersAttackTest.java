package dev.fairlead.proofs.attack;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * Computing calls on all carrier threads: if their tool is declared with {@code blocking()}, others
 * are served meanwhile; otherwise the log names it.
 */
@Tag("proof")
@Timeout(900)
class OccupiedCarriersAttackTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}";

    private static List<FutureTask<HttpAnswer>> attack(int port, String tool) throws IOException {
        RawSession session = RawSession.open(port);
        List<FutureTask<HttpAnswer>> calls = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            String call = RawSession.call(i, tool);
            FutureTask<HttpAnswer> posted = new FutureTask<>(() -> session.post(call));
            calls.add(posted);
            Thread.ofPlatform().daemon().start(posted);
        }
        return calls;
    }

    @Test
    void othersAreServedWhileBlockingToolsCompute() throws Exception {
        try (SmallHeap attacked = SmallHeap.start(ComputingServer.class, "256m")) {
            RawSession other = RawSession.open(attacked.port());
            List<FutureTask<HttpAnswer>> calls = attack(attacked.port(), "blocking");
            await("all of them compute")
                    .until(
                            () -> other.post(RawSession.call(1, "computing")).body(),
                            body -> body.contains("3 compute"));
            for (int i = 0; i < 10; i++) {
                assertThat(other.post(PING).status()).isEqualTo(200);
            }
            assertThat(calls).as("the computation is still under way").noneMatch(Future::isDone);
            assertThat(other.post(RawSession.call(1, "end")).body()).contains("ended");
            for (FutureTask<HttpAnswer> call : calls) {
                assertThat(call.get().body()).contains("computed");
            }
            assertThat(attacked.log()).doesNotContain("carrier threads are occupied");
        }
    }

    @Test
    void theLogNamesToolsThatOccupyAllCarriers() throws Exception {
        try (SmallHeap attacked = SmallHeap.start(ComputingServer.class, "256m")) {
            attack(attacked.port(), "careless");

            await("the log shows what the handler does")
                    .until(() -> attacked.log().contains("ComputingServer.compute"));
            assertThat(attacked.log())
                    .contains("No virtual thread could run for 1 s")
                    .contains("tools/call of tool careless, running for")
                    .contains("ComputingServer.compute");
        }
    }
}
