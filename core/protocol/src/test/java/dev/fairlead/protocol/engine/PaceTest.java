package dev.fairlead.protocol.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

class PaceTest {
    private static final long QUICK = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long SLOW = QUICK + 1;
    private static final long VERY_SLOW = TimeUnit.MILLISECONDS.toNanos(1) + 1;

    private final Pace pace = new Pace("the tool test");

    private void run(int times, long nanos) {
        for (int i = 0; i < times; i++) {
            pace.ran(nanos);
        }
    }

    @Test
    void isQuickOnceThirtyThreeRunsWere() {
        run(32, QUICK);
        assertThat(pace.isQuick()).isFalse();
        pace.ran(QUICK);
        assertThat(pace.isQuick()).isTrue();
    }

    @Test
    void staysQuickAfterAFewVerySlowRunsInARow() {
        run(1_000, QUICK);
        run(3, VERY_SLOW);
        assertThat(pace.isQuick()).isTrue();
        pace.ran(VERY_SLOW);
        assertThat(pace.isQuick()).isFalse();
    }

    @Test
    void staysQuickIfOneRunInAHundredIsVerySlow() {
        run(1_000, QUICK);
        for (int i = 0; i < 1_000; i++) {
            run(99, QUICK);
            pace.ran(VERY_SLOW);
            assertThat(pace.isQuick()).isTrue();
        }
    }

    @Test
    void isSlowIfAllRunsTakeAFractionOfAMillisecond() {
        run(1_000, QUICK);
        run(31, SLOW);
        assertThat(pace.isQuick()).isTrue();
        pace.ran(SLOW);
        assertThat(pace.isQuick()).isFalse();
    }

    @Test
    void becomesQuickAgainHoweverLongItWasSlow() {
        run(100_000, VERY_SLOW);
        run(33, QUICK);
        assertThat(pace.isQuick()).isTrue();
    }

    @Test
    void isSlowForMoreRunsEachTimeItHasWaitedOnTheReader() {
        for (int due = 32; due <= 65_536; due *= 2) {
            run(100, QUICK);
            assertThat(pace.isQuick()).isTrue();
            pace.waited();
            run(due - 1, QUICK);
            assertThat(pace.isQuick()).isFalse();
            pace.ran(QUICK);
            assertThat(pace.isQuick()).isTrue();
        }
        pace.waited();
        run(65_536, QUICK);
        assertThat(pace.isQuick()).isTrue();
    }
}
