package dev.fairlead.proofs.attack;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** A client that fills the store of tasks with results. */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class TaskResultsAttackTest {
    private static final int TASKS = 120;

    private static String start(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":"
                + id
                + ",\"method\":\"tools/call\",\"params\":{\"name\":\"result\",\"arguments\":{},"
                + "\"task\":{\"ttl\":3600000}}}";
    }

    private static String task(String body) {
        return body.replaceFirst("(?s).*\"taskId\":\"([^\"]+)\".*", "$1");
    }

    private static String get(String task) {
        return "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tasks/get\",\"params\":{\"taskId\":\""
                + task
                + "\"}}";
    }

    @Test
    void resultsOfOneSessionLeaveRoomForThoseOfOthers() throws Exception {
        try (SmallHeap attacked = SmallHeap.start(BytesServer.class, "256m")) {
            RawSession victim = RawSession.open(attacked.port(), Caller.loopback(3));
            String kept = task(victim.post(start(1)).body());
            awaitCompleted(victim, kept);
            RawSession attacker = RawSession.open(attacked.port(), Caller.loopback(2));
            for (int i = 0; i < TASKS; i++) {
                attacker.post(start(i));
            }

            RawSession other = RawSession.open(attacked.port(), Caller.loopback(4));
            awaitCompleted(other, task(other.post(start(1)).body()));
            assertThat(victim.post(get(kept)).body()).contains("completed");
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        }
    }

    private static void awaitCompleted(RawSession session, String task)
            throws InterruptedException {
        await("the task has completed")
                .until(
                        () -> {
                            try {
                                String body = session.post(get(task)).body();
                                assertThat(body).contains("\"status\"");
                                return body.contains("completed");
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
    }
}
