package dev.fairlead.http.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.stream.WaitingBytes.Share;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The limits of bytes that wait to be read: of the session, the caller, all, and small answers. */
@Timeout(60)
class WaitingBytesTest {
    private static final int MIB = 1 << 20;

    private WaitingBytes waiting = new WaitingBytes(32 * MIB, Duration.ofMinutes(10));

    private Share share(String caller, String session) {
        return waiting.share(caller, session);
    }

    @Test
    void aSessionHasAQuarter() {
        Share first = share("ann", "1");
        assertThat(first.tryTake(8 * MIB)).isTrue();

        assertThat(share("ann", "1").tryTake(MIB)).isFalse();
        assertThat(share("ann", "2").tryTake(MIB)).isTrue();
        first.release();
        assertThat(share("ann", "1").tryTake(MIB)).isTrue();
    }

    @Test
    void aCallerHasHalf() {
        assertThat(share("ann", "1").tryTake(8 * MIB)).isTrue();
        assertThat(share("ann", "2").tryTake(8 * MIB)).isTrue();

        assertThat(share("ann", "3").tryTake(MIB)).isFalse();
        assertThat(share("bob", "4").tryTake(8 * MIB)).isTrue();
    }

    @Test
    void theLastEighthIsLeftToCallersAndSessionsThatHoldLittle() {
        assertThat(share("ann", "1").tryTake(14 * MIB)).isTrue();
        assertThat(share("bob", "2").tryTake(14 * MIB)).isTrue();

        assertThat(share("eve", "3").tryTake(MIB)).isFalse();
        for (int i = 0; i < 32; i++) { // half of the reserve
            assertThat(share("ann", "small " + i).tryTake(WaitingBytes.SMALL)).isTrue();
        }
        assertThat(share("ann", "4").tryTake(1)).isFalse();
        assertThat(share("bob", "5").tryTake(1)).isFalse();
        for (int i = 0; i < 25; i++) { // others have the other half
            assertThat(share("eve " + i, "eve " + i).tryTake(WaitingBytes.SMALL)).isTrue();
        }
        assertThat(share("kim", "7").tryTake(WaitingBytes.SMALL)).isTrue();
    }

    @Test
    void oneAnswerMayExceedEverything() {
        Share large = share("ann", "1");
        assertThat(large.tryTake(100 * MIB)).isTrue();

        assertThat(share("bob", "2").tryTake(MIB)).isFalse();
        large.release();
        assertThat(waiting.waiting()).isZero();
    }

    @Test
    void anAnswerWaitsForRoom() throws Exception {
        Share first = share("ann", "1");
        first.tryTake(8 * MIB);
        var second = CompletableFuture.supplyAsync(() -> share("ann", "1").takeInstead(MIB));
        first.release();

        assertThat(second.get()).isTrue();
    }

    @Test
    void onlySoManyAnswersWaitForRoom() throws Exception {
        waiting = new WaitingBytes(32 * MIB, Duration.ofMillis(50));
        share("ann", "1").tryTake(8 * MIB);
        var waits = CompletableFuture.supplyAsync(() -> share("ann", "1").takeInstead(4 * MIB));

        assertThat(share("ann", "1").takeInstead(4 * MIB)).isFalse();
        assertThat(share("ann", "1").awaitReader()).isFalse();
        assertThat(waits.get()).isFalse();
        assertThat(waiting.waiting()).isEqualTo(8 * MIB);
    }

    @Test
    void anInterruptEndsTheWait() {
        share("ann", "1").tryTake(8 * MIB);
        Thread.currentThread().interrupt();

        assertThat(share("ann", "1").takeInstead(MIB)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void piecesAreGivenBackOneByOne() {
        Share stream = share("ann", "1");
        stream.tryTake(3 * MIB);
        stream.tryTake(1_000);
        stream.release(3 * MIB);
        assertThat(waiting.waiting()).isEqualTo(1_000);
        stream.release(1_000);
        stream.release(1_000);
        assertThat(waiting.waiting()).isZero();
    }
}
