package dev.fairlead.proofs.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;

/** Clients whose sessions have messages wait for a stream that they never open. */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@Requirement("ROOM-053")
class PendingMessagesAttackTest {
    private static final int ADDRESSES = 10;

    private static String notify(int count, int size) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                + "\"name\":\"notify\",\"arguments\":{\"count\":%s,\"size\":%s}}}"
                        .formatted(count, size);
    }

    @Test
    void messagesOfAllSessionsTogetherAreBoundedAndOthersGetTheirs() throws Exception {
        String manyBytes = notify(4, 250 << 10);
        try (SmallHeap attacked = SmallHeap.start(BytesServer.class, "96m")) {
            for (int i = 0; i < 200; i++) {
                RawSession session =
                        RawSession.open(attacked.port(), Caller.loopback(2 + i % ADDRESSES));
                HttpAnswer answer = session.post(manyBytes);
                assertThat(answer.body()).as(attacked.log()).contains("taken: ");
            }

            RawSession other = RawSession.open(attacked.port(), Caller.loopback(100));
            assertThat(other.post(notify(1, 100)).body()).contains("taken: 1");
            try (RawSession.Stream stream = other.listen()) {
                assertThat(stream.lineWith("example/note")).contains("xxx");
            }
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        }
    }

    @Test
    void messagesWithFewBytesCountWithWhatTheyTakeInMemory() throws Exception {
        String manyMessages = notify(1_000, 1);
        try (SmallHeap attacked = SmallHeap.start(BytesServer.class, "64m")) {
            for (int i = 0; i < 600; i++) {
                RawSession session =
                        RawSession.open(attacked.port(), Caller.loopback(2 + i % ADDRESSES));
                HttpAnswer answer = session.post(manyMessages);
                assertThat(answer.body()).as(attacked.log()).contains("taken: ");
            }

            assertThat(Caller.works(attacked.port(), 100).body()).contains("small");
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        }
    }
}
