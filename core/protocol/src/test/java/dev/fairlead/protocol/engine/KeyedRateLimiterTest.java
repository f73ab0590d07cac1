package dev.fairlead.protocol.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

final class KeyedRateLimiterTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final AtomicLong nanos = new AtomicLong();

    private KeyedRateLimiter allowances(int times, Duration per, int burst) {
        return new KeyedRateLimiter(times, per, burst, nanos::get);
    }

    @Test
    void eachKeyHasTokensOfItsOwn() {
        KeyedRateLimiter allowances = allowances(1, HOUR, 1);
        assertThat(allowances.take("a")).isTrue();
        assertThat(allowances.take("a")).isFalse();
        assertThat(allowances.delay("a")).isEqualTo(HOUR);
        assertThat(allowances.delay("b")).isZero();
        assertThat(allowances.take("b")).isTrue();
    }

    @Test
    void aKeyThatWasForgottenStartsWithAFullBucket() {
        KeyedRateLimiter allowances = allowances(1, HOUR, 1);
        assertThat(allowances.take("a")).isTrue();
        allowances.forget("a");
        assertThat(allowances.size()).isZero();
        assertThat(allowances.take("a")).isTrue();
    }

    @Test
    void keysWithAFullBucketAreRemoved() {
        KeyedRateLimiter allowances = allowances(1, Duration.ofSeconds(1), 1);
        for (int i = 0; i < 100; i++) {
            allowances.take("old " + i);
        }
        nanos.addAndGet(1_000_000_000);
        allowances.take("new");
        assertThat(allowances.size()).isEqualTo(1);
    }

    @Test
    void oneKeyMoreThanTheBoundReplacesAnother() {
        KeyedRateLimiter allowances = allowances(1, HOUR, 1);
        for (int i = 0; i < KeyedRateLimiter.MAX_KEYS; i++) {
            allowances.take(i);
        }
        assertThat(allowances.size()).isEqualTo(KeyedRateLimiter.MAX_KEYS);
        assertThat(allowances.take("one more")).isTrue();
        assertThat(allowances.take("one more")).isFalse();
        assertThat(allowances.size()).isEqualTo(KeyedRateLimiter.MAX_KEYS);
    }

    @Test
    void threadsTogetherTakeTheBurstOfAKeyThatIsNewToAll() throws Exception {
        KeyedRateLimiter allowances = allowances(1, HOUR, 3);
        for (int i = 0; i < 1_000; i++) {
            int key = i;
            assertThat(Threads.sum(4, () -> (allowances.take(key) ? 1 : 0))).isEqualTo(3);
        }
    }

    @Test
    void theBoundHoldsWhileThreadsAddKeys() throws Exception {
        KeyedRateLimiter allowances = allowances(1, HOUR, 1);
        AtomicInteger next = new AtomicInteger();
        Threads.sum(
                4,
                () -> {
                    for (int i = 0; i < 4_000; i++) {
                        allowances.take(next.incrementAndGet());
                    }
                    return 0;
                });
        assertThat(allowances.size()).isEqualTo(KeyedRateLimiter.MAX_KEYS);
    }
}
