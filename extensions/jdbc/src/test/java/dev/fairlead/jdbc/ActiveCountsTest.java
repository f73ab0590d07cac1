package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

class ActiveCountsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final ActiveCounts counts = new ActiveCounts(nanos::get);
    private final AtomicInteger counted = new AtomicInteger();

    private boolean admits(int limit, long stored) {
        return counts.admits(
                "owner",
                limit,
                () -> {
                    counted.incrementAndGet();
                    return stored;
                });
    }

    @Test
    void aSmallLimitIsAlwaysCounted() {
        assertThat(admits(ActiveCounts.LARGE, 0)).isFalse();
        assertThat(counted).hasValue(0);
    }

    @Test
    void farBelowALargeLimitOneCountServesMany() {
        for (int i = 0; i < 100; i++) {
            assertThat(admits(10_000, 7)).isTrue();
        }
        assertThat(counted).hasValue(1);

        nanos.addAndGet(Duration.ofSeconds(1).toNanos() + 1);
        assertThat(admits(10_000, 7)).isTrue();
        assertThat(counted).hasValue(2);
    }

    @Test
    void nearALargeLimitEachTaskIsCounted() {
        assertThat(admits(10_000, 4_998)).isTrue();
        assertThat(admits(10_000, 4_999)).isFalse();
    }
}
