package dev.fairlead.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.engine.HeapSize;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

/** Memory of sessions, counted in bytes of the heap and not of the wire, and at the limits. */
@Timeout(60)
class KeptBytesTest {
    private static final int MIB = 1 << 20;

    private final KeptBytes kept = new KeptBytes(MIB, 4 * MIB);

    private KeptBytes.Share share() {
        return kept.share(bytes -> false);
    }

    @Test
    void othersMakeRoomForWhatIsLacking() {
        KeptBytes.Share idle = share();
        idle.take(MIB);
        share().take(MIB);
        share().take(MIB);
        List<Long> lacking = new ArrayList<>();

        KeptBytes.Share opened =
                kept.share(
                        bytes -> {
                            lacking.add(bytes);
                            idle.close();
                            return true;
                        });
        opened.take(MIB / 2);

        assertThat(lacking).containsExactly((long) MIB / 2);
        assertThat(opened.bytes()).isEqualTo(MIB / 2);
    }

    private static long of(String json) {
        return HeapSize.of(JsonValue.parse(json));
    }

    @Test
    void aLongNumberAndATextBeyondLatinCountAsTheyLie() {
        assertThat(of("9".repeat(1_000))).isGreaterThan(450);
        assertThat(of("\"\u65e5" + "x".repeat(999) + "\"")).isGreaterThan(2_000);
        assertThat(of("\"" + "x".repeat(1_000) + "\"")).isBetween(1_000L, 1_100L);
    }

    @Test
    void theLastQuarterIsForSmallSessionsToTheByte() {
        for (int i = 0; i < 3; i++) {
            share().take(MIB);
        }
        assertThatThrownBy(() -> share().take(KeptBytes.SMALL + 1))
                .isInstanceOf(JsonRpcException.class);
        for (int i = 0; i < MIB / KeptBytes.SMALL; i++) {
            share().take(KeptBytes.SMALL);
        }
        assertThatThrownBy(() -> share().take(1)).isInstanceOf(JsonRpcException.class);
    }

    @Test
    void whatIsGivenBackTwiceOrAfterTheEndCountsOnce() {
        for (int i = 0; i < 10_000; i++) {
            KeptBytes.Share share = share();
            share.take(MIB);
            share.release(MIB);
            share.release(MIB);
            share.take(MIB);
            share.close();
            share.close();
            share.release(MIB);
            share.take(MIB);
        }
        theLastQuarterIsForSmallSessionsToTheByte();
    }
}
