package dev.fairlead.proofs.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;

/** A client that has its sessions keep as many bytes as they can. */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class KeptBytesAttackTest {
    private static final int MESSAGE = 2 << 20;

    private static String initialize(String name, String capabilities) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
                + capabilities
                + ",\"clientInfo\":{\"name\":\""
                + name
                + "\",\"version\":\"1\"}}}";
    }

    @Test
    void initializeWithALargeNameOrLargeCapabilitiesIsRefused() throws Exception {
        String named = initialize("x".repeat(MESSAGE), "{}");
        String able = initialize("x", "{\"experimental\":{\"x\":\"" + "x".repeat(MESSAGE) + "\"}}");
        try (SmallHeap attacked = SmallHeap.start(BytesServer.class, "96m")) {
            for (int i = 0; i < 60; i++) {
                try (Caller caller = new Caller(attacked.port(), 2)) {
                    HttpAnswer answer = caller.post("", i % 2 == 0 ? named : able);

                    assertThat(answer.body()).as(attacked.log()).contains("65536");
                }
            }

            assertThat(Caller.works(attacked.port(), 3).body()).contains("small");
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        }
    }

    @Test
    void subscriptionsToLongUrisAreRefusedBeyondTheBytesOfASession() throws Exception {
        String longId = "x".repeat(8_000);
        int refused = 0;
        try (SmallHeap attacked = SmallHeap.start(BytesServer.class, "96m")) {
            for (int i = 0; i < 10; i++) {
                String session = RawSession.open(attacked.port(), Caller.loopback(2)).id();
                try (Caller caller = new Caller(attacked.port(), 2)) {
                    for (int j = 0; j < 1_000; j++) {
                        String subscribe =
                                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\","
                                        + "\"params\":{\"uri\":\"bytes://items/"
                                        + j
                                        + longId
                                        + "\"}}";
                        HttpAnswer answer = caller.post(session, subscribe);
                        refused += answer.body().contains("maxSessionBytes") ? 1 : 0;
                    }
                }
            }

            assertThat(refused).isGreaterThan(5_000);
            assertThat(Caller.works(attacked.port(), 3).body()).contains("small");
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        }
    }
}
