package dev.fairlead.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShortWaitsTest {
    private static final int LOOKS = 7;

    private long now = Long.MAX_VALUE - 1; // clocks of this kind overflow
    private final ShortWaits waits = new ShortWaits(() -> now, LOOKS);

    private void sleep(long nanos) {
        waits.beforeSleep();
        now += nanos;
        waits.afterSleep();
    }

    private void sleepShortly(int times) {
        for (int i = 0; i < times; i++) {
            sleep(ShortWaits.SHORT_NANOS - 1);
        }
    }

    @Test
    void looksAreWorthTheirTimeAfterEnoughShortWaitsInARow() {
        sleepShortly(ShortWaits.ENOUGH - 1);
        assertThat(waits.looks()).isZero();
        sleepShortly(1);
        assertThat(waits.looks()).isEqualTo(LOOKS);
    }

    @Test
    void aLongWaitEndsTheRow() {
        sleepShortly(ShortWaits.ENOUGH);
        sleep(ShortWaits.SHORT_NANOS);
        assertThat(waits.looks()).isZero();
        sleepShortly(ShortWaits.ENOUGH - 1);
        assertThat(waits.looks()).isZero();
    }

    @Test
    void unsuccessfulLooksAreRepeatedOnceIfTheNextWaitIsShort() {
        sleepShortly(ShortWaits.ENOUGH);
        waits.foundNothing();
        assertThat(waits.looks()).isZero();
        sleepShortly(1);
        assertThat(waits.looks()).isEqualTo(LOOKS);

        waits.foundNothing();
        sleepShortly(ShortWaits.ENOUGH - 1);
        assertThat(waits.looks()).isZero();
        sleepShortly(1);
        assertThat(waits.looks()).isEqualTo(LOOKS);
    }

    @Test
    void unsuccessfulLooksBeforeALongWaitEndTheRow() {
        sleepShortly(ShortWaits.ENOUGH);
        waits.foundNothing();
        sleep(ShortWaits.SHORT_NANOS);
        sleepShortly(ShortWaits.ENOUGH - 1);
        assertThat(waits.looks()).isZero();
    }

    @Test
    void successfulLooksMakeUpForOthers() {
        sleepShortly(ShortWaits.ENOUGH);
        for (int i = 0; i < 3; i++) {
            waits.foundNothing();
            sleepShortly(1);
            assertThat(waits.looks()).isEqualTo(LOOKS);
            waits.found();
        }
    }

    @Test
    void manyShortWaitsAreForgottenAsSoonAsFew() {
        sleepShortly(100 * ShortWaits.ENOUGH);
        sleep(ShortWaits.SHORT_NANOS);
        assertThat(waits.looks()).isZero();
    }
}
