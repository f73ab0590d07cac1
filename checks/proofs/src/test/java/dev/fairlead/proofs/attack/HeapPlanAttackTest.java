package dev.fairlead.proofs.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.RawHttpClient;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Clients that fill all shares of the heap at the same time. */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class HeapPlanAttackTest {
    private static final int ATTACKERS = 4;
    private static final int BODY = 1_500_000;
    private static final String URI = "x".repeat(8_000);

    private final List<AutoCloseable> held = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : held) {
            each.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"128m", "256m"})
    void othersAreServedWhileAllSharesAreFull(String heap) throws Exception {
        try (SmallHeap attacked = SmallHeap.start(BytesServer.class, heap)) {
            for (int i = 0; i < ATTACKERS; i++) {
                attack(attacked.port(), 2 + i);
            }

            for (int i = 0; i < 20; i++) {
                assertThat(Caller.works(attacked.port(), 100).body())
                        .as(attacked.log())
                        .contains("small");
            }
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        }
    }

    private void attack(int port, int address) throws IOException {
        fillTasks(port, address);
        fillSessions(port, address);
        fillPending(port, address);
        fillBodies(port, address);
        fillAnswersAndEvents(port, address);
    }

    private static void fillTasks(int port, int address) throws IOException {
        RawSession session = RawSession.open(port, Caller.loopback(address));
        for (int i = 0; i < 15; i++) {
            session.post(
                    RawSession.call(i, "result").replace("{}", "{},\"task\":{\"ttl\":3600000}"));
        }
    }

    private static void fillSessions(int port, int address) throws IOException {
        for (int i = 0; i < 3; i++) {
            RawSession session = RawSession.open(port, Caller.loopback(address));
            for (int j = 0; j < 130; j++) {
                session.post(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\","
                                + "\"params\":{\"uri\":\"bytes://items/"
                                + j
                                + URI
                                + "\"}}");
            }
        }
    }

    private static void fillPending(int port, int address) throws IOException {
        for (int i = 0; i < 10; i++) {
            RawSession.open(port, Caller.loopback(address))
                    .post(
                            RawSession.call(1, "notify")
                                    .replace("{}", "{\"count\":4,\"size\":250000}"));
        }
    }

    private void fillBodies(int port, int address) throws IOException {
        RawHttpClient client = RawHttpClient.at(port, "127.0.0." + address);
        for (int i = 0; i < 3; i++) {
            held.add(client.send("POST", " ".repeat(BODY), BODY + 1));
        }
    }

    private void fillAnswersAndEvents(int port, int address) throws IOException {
        for (int i = 0; i < 4; i++) {
            String session = RawSession.open(port, Caller.loopback(address)).id();
            for (String tool : List.of("big_stream", "big")) {
                Caller caller = new Caller(port, address);
                held.add(caller);
                caller.send(
                        session,
                        RawSession.call(i, tool)
                                .replace(
                                        "\"arguments\"",
                                        "\"_meta\":{\"progressToken\":1},\"arguments\""));
            }
        }
    }
}
