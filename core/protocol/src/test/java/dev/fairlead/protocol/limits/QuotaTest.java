package dev.fairlead.protocol.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.limits.Quota.Share;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Each rule of the formula, at its edge. */
@Timeout(60)
class QuotaTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Quota shared = Quota.shared(1_000);

    /** Takes places one by one until there are no more, and returns how many. */
    private static int exhaust(Quota quota, String caller, String session) {
        Share share = quota.share(caller, session);
        int taken = 0;
        while (share.take(1)) {
            taken++;
        }
        return taken;
    }

    private static boolean take(Quota quota, String caller, String session, long amount) {
        return quota.share(caller, session).take(amount);
    }

    @Test
    void oneCallerMayTakeAll() {
        assertThat(exhaust(shared, "a", "1")).isEqualTo(1_000);
        assertThat(shared.held()).isEqualTo(1_000);
    }

    @Test
    void theReserveIsForCallersThatHoldLittle() {
        exhaust(shared, "a", "1");

        assertThat(exhaust(shared, "b", "2")).isEqualTo(28);
        assertThat(exhaust(shared, "c", "3")).isEqualTo(25);
        assertThat(take(shared, "a", "1", 1)).isFalse();
    }

    @Test
    void aSessionThatHoldsLittleGetsAPlaceAlthoughItsCallerHoldsMuch() {
        exhaust(shared, "a", "1");

        assertThat(exhaust(shared, "a", "2")).isEqualTo(14);
        assertThat(take(shared, "a", null, 1)).isFalse();
    }

    @Test
    void sessionsOfOneCallerTakeHalfOfTheReserveAtMost() {
        exhaust(shared, "a", "0");
        for (int i = 1; i < 1_000; i++) {
            exhaust(shared, "a", "" + i);
        }

        assertThat(shared.held()).isLessThanOrEqualTo(1_125);
        assertThat(take(shared, "b", "b", 1)).isTrue();
    }

    @Test
    void manyCallersTakeTheLimitAndItsReserveAtMost() {
        for (int i = 0; i < 10_000; i++) {
            exhaust(shared, "c" + i, "s" + i);
        }

        assertThat(shared.held()).isLessThanOrEqualTo(1_250);
    }

    @Test
    void severalPlacesAreTakenTogetherOrNotAtAll() {
        assertThat(take(shared, "a", "1", 1_001)).isFalse();
        assertThat(shared.held()).isZero();
        assertThat(take(shared, "a", "1", 1_000)).isTrue();
        assertThat(take(shared, "b", "2", 33)).isFalse();
        assertThat(take(shared, "b", "2", 32)).isTrue();
    }

    @Test
    void aReleasedAmountIsFreeAgainAndCountsOnce() {
        Share share = shared.share("a", "1");
        share.take(1_000);

        share.release();
        share.release();
        share.release(1);

        assertThat(shared.held()).isZero();
        assertThat(share.held()).isZero();
        assertThat(exhaust(shared, "a", "1")).isEqualTo(1_000);
    }

    @Test
    void aSmallLimitHasNoReserve() {
        Quota small = Quota.shared(3);
        exhaust(small, "a", "1");

        assertThat(take(small, "b", "2", 1)).isFalse();
    }

    @Test
    void theLargestLimitsDoNotOverflow() {
        for (long largest : new long[] {Integer.MAX_VALUE, Long.MAX_VALUE}) {
            Quota huge = Quota.shared(largest);
            long all = huge.limit();

            assertThat(take(huge, "a", "1", all)).isTrue();
            assertThat(take(huge, "b", "2", 1)).isTrue();
            assertThat(take(huge, "a", "1", 1)).isFalse();
        }
    }

    @Test
    void aCallerAndASessionHaveTheirOwnLimits() {
        Quota quota = Quota.of(100).perCaller(60).perSession(40);

        assertThat(take(quota, "a", "1", 41)).isFalse();
        assertThat(take(quota, "a", "1", 40)).isTrue();
        assertThat(take(quota, "a", "2", 21)).isFalse();
        assertThat(take(quota, "a", "2", 20)).isTrue();
        assertThat(take(quota, "b", "3", 41)).isFalse();
        assertThat(take(quota, "b", "3", 40)).isTrue();
        assertThat(take(quota, null, null, 1)).isFalse();
    }

    @Test
    void aFixedReserveIsForThoseThatHoldNoMoreThanThat() {
        Quota quota = Quota.of(75).reserve(25, 10);
        take(quota, "a", null, 75);

        assertThat(take(quota, "b", null, 11)).isFalse();
        assertThat(take(quota, "b", null, 10)).isTrue();
        assertThat(take(quota, "b", null, 1)).isFalse();
        assertThat(take(quota, "c", null, 10)).isTrue();
        assertThat(take(quota, "d", null, 6)).isFalse();
        assertThat(take(quota, "d", null, 5)).isTrue();
    }

    /** Else a caller with a limit of its own would have the limit of all in small sessions. */
    @Test
    void sessionsThatHoldLittleExceedTheLimitOfTheirCallerByHalfTheReserve() {
        Quota quota = Quota.of(1_000).perCaller(500).dividedReserve(100, 10);
        take(quota, "a", "0", 500);

        for (int i = 1; i <= 5; i++) {
            assertThat(take(quota, "a", "" + i, 10)).isTrue();
        }
        assertThat(take(quota, "a", "6", 1)).isFalse();
        assertThat(take(quota, "b", "7", 450)).isTrue();
    }

    @Test
    void aShareMayBeASessionOfItsOwn() {
        Quota quota = Quota.of(100).perSession(60).reserve(20, 10);
        Share share = quota.sessionShare("a");

        assertThat(share.take(61)).isFalse();
        assertThat(share.take(60)).isTrue();
        assertThat(quota.sessionShare("a").take(40)).isTrue();
        assertThat(share.take(1)).isFalse();
        assertThat(quota.sessionShare("a").take(11)).isFalse();
        assertThat(quota.sessionShare("a").take(10)).isTrue();
        assertThat(quota.sessionShare("a").take(1)).isFalse();
    }

    @Test
    void aSparedCallerMayTakeAllButTheReserve() {
        Quota quota = Quota.of(75).perCaller(10).reserve(25, 10);
        Share spared = quota.sparedShare("a");

        assertThat(spared.take(75)).isTrue();
        assertThat(spared.take(1)).isFalse();
        assertThat(quota.share("b", null).take(11)).isFalse();
        assertThat(quota.share("b", null).take(10)).isTrue();
        assertThat(quota.sparedShare("c").take(11)).isFalse();
        assertThat(quota.sparedShare("c").take(10)).isTrue();
    }

    @Test
    void anOversizedAmountIsTakenWhereOthersHoldNoMoreThanTheReserve() {
        Quota quota = Quota.of(90).perCaller(50).perSession(25).dividedReserve(10, 5).oversized();
        Share beside = quota.share("b", "2");
        beside.take(11);
        assertThat(take(quota, "a", "1", 1_000)).isFalse();
        beside.release(1);
        assertThat(take(quota, "a", "1", 1_000)).isTrue();
        assertThat(take(quota, "c", "3", 1)).isFalse();
    }

    @Test
    void aReplacementTakesTheRoomOfItsPredecessor() {
        Quota quota = Quota.of(10);
        Share share = quota.share("a", "1");
        share.take(8);

        assertThat(share.replace(8, 11)).isFalse();
        assertThat(share.held()).isEqualTo(8);
        assertThat(share.replace(8, 10)).isTrue();
        assertThat(quota.held()).isEqualTo(10);
    }

    @Test
    void aForcedAmountCountsWithoutRoom() {
        Quota quota = Quota.of(1);
        Share forced = quota.share(null, null);
        forced.force(3);
        assertThat(take(quota, "a", null, 1)).isFalse();
        forced.release();
        assertThat(take(quota, "a", null, 1)).isTrue();
    }

    @Test
    void anAmountWaitsForRoom() throws Exception {
        Quota quota = Quota.of(10);
        Share first = quota.share("a", null);
        first.take(10);
        CountDownLatch waits = new CountDownLatch(1);
        var second =
                CompletableFuture.supplyAsync(
                        () -> quota.share("b", null).take(1, LONG, () -> counted(waits)));
        waits.await();
        first.release(1);

        assertThat(second.get()).isTrue();
    }

    private static boolean counted(CountDownLatch latch) {
        latch.countDown();
        return true;
    }

    @Test
    void aWaitEndsWithoutPatienceOrWhenItMayNotGoOn() {
        Quota quota = Quota.of(0);
        Share share = quota.share("a", null);

        assertThat(share.take(1, Duration.ZERO, () -> true)).isFalse();
        assertThat(share.take(1, LONG, () -> false)).isFalse();
        Thread.currentThread().interrupt();
        assertThat(share.take(1, LONG, () -> true)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aShareWaitsForRoomInTheLimitOfItsSessionAndTakesNone() throws Exception {
        Quota quota = Quota.of(100).perSession(10);
        Share first = quota.share("a", "1");
        first.take(10);
        Share second = quota.share("a", "1");
        assertThat(second.awaitSession(1, Duration.ZERO)).isFalse();
        assertThat(quota.share("a", "2").awaitSession(1, Duration.ZERO)).isTrue();
        var waits = CompletableFuture.supplyAsync(() -> second.awaitSession(1, LONG));
        first.release(1);

        assertThat(waits.get()).isTrue();
        assertThat(quota.held()).isEqualTo(9);
    }
}
