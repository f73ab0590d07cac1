package dev.fairlead.proofs.attack;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * As many calls that compute as there are carrier threads: where their tool is declared with {@code
 * blocking()}, others are served meanwhile; where it is not, the log names it.
 */
@Tag("proof")
@Timeout(900)
class OccupiedCarriersAttackTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}";

    private static List<RawSession.Stream> attack(RawSession session, String tool)
            throws IOException {
        List<RawSession.Stream> calls = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            calls.add(session.begin(RawSession.call(i, tool)));
        }
        return calls;
    }

    private static void end(List<RawSession.Stream> calls) throws IOException {
        for (RawSession.Stream call : calls) {
            call.lineWith("computed");
            call.close();
        }
    }

    @Test
    void othersAreServedWhileBlockingToolsCompute() throws Exception {
        try (SmallHeap attacked = SmallHeap.start(ComputingServer.class, "256m")) {
            RawSession other = RawSession.open(attacked.port());
            List<RawSession.Stream> calls = attack(RawSession.open(attacked.port()), "blocking");
            for (int i = 0; i < 10; i++) {
                assertThat(other.post(PING).status()).isEqualTo(200);
            }
            for (RawSession.Stream call : calls) {
                assertThat(call.hasArrived()).as("the computation is still under way").isFalse();
            }
            assertThat(other.post(RawSession.call(1, "end")).body()).contains("ended");
            end(calls);
            assertThat(attacked.log()).doesNotContain("carrier threads are occupied");
        }
    }

    @Test
    void theLogNamesToolsThatOccupyAllCarriers() throws Exception {
        try (SmallHeap attacked = SmallHeap.start(ComputingServer.class, "256m")) {
            List<RawSession.Stream> calls = attack(RawSession.open(attacked.port()), "careless");

            await("the log shows what the handler does")
                    .until(() -> attacked.log().contains("ComputingServer.compute"));
            assertThat(attacked.log())
                    .contains("No virtual thread could run for 1 s")
                    .contains("tools/call of tool careless, running for")
                    .contains("ComputingServer.compute");
            for (RawSession.Stream call : calls) {
                call.close();
            }
        }
    }
}
