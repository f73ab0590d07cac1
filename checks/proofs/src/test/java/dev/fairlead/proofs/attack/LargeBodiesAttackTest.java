package dev.fairlead.proofs.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Large messages that come at the same time, with the default limits of a small heap. */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class LargeBodiesAttackTest {
    private static String echo(int bytes) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                + "\"echo\",\"arguments\":{\"text\":\""
                + "x".repeat(bytes)
                + "\"}}}";
    }

    private static List<HttpAnswer> atOnce(int port, int calls, String body) throws Exception {
        String session = RawSession.open(port, Caller.loopback(2)).id();
        Callable<HttpAnswer> call =
                () -> {
                    try (Caller caller = new Caller(port, 2)) {
                        return caller.post(session, body);
                    }
                };
        List<HttpAnswer> answers = new ArrayList<>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpAnswer>> running = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                running.add(executor.submit(call));
            }
            for (int i = 0; i < 5; i++) {
                assertThat(Caller.works(port, 3).body()).contains("small");
            }
            for (Future<HttpAnswer> each : running) {
                answers.add(each.get());
            }
        }
        return answers;
    }

    @Test
    void bodiesBeyondWhatTheHeapCanHoldAreRefused() throws Exception {
        try (SmallHeap attacked = SmallHeap.start(BytesServer.class, "256m")) {
            for (HttpAnswer answer : atOnce(attacked.port(), 4, echo(60 << 20))) {
                assertThat(answer.status()).as(attacked.log()).isEqualTo(413);
                assertThat(answer.body()).contains("maxBody");
            }

            assertThat(attacked.log()).contains("maxBody");
            assertThat(Caller.works(attacked.port(), 3).body()).contains("small");
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        }
    }

    @Test
    void bodiesWithinTheLimitAreAnsweredOrRefusedForNow() throws Exception {
        try (SmallHeap attacked = SmallHeap.start(BytesServer.class, "256m")) {
            List<HttpAnswer> answers = atOnce(attacked.port(), 12, echo(7 << 20));

            assertThat(answers).extracting(HttpAnswer::status).containsOnly(200, 503);
            assertThat(answers).extracting(HttpAnswer::status).contains(200);
            assertThat(Caller.works(attacked.port(), 3).body()).contains("small");
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        }
    }
}
