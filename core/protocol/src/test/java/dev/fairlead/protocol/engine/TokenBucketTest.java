package dev.fairlead.protocol.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

final class TokenBucketTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicLong nanos = new AtomicLong();

    private TokenBucket bucket(int times, Duration per, int burst) {
        return new TokenBucket(times, per, burst, nanos::get);
    }

    private static int taken(TokenBucket bucket) {
        return count(bucket::take);
    }

    private static int count(BooleanSupplier take) {
        int count = 0;
        while (take.getAsBoolean()) {
            count++;
        }
        return count;
    }

    @Test
    void aNewBucketHasTheBurstAndNotOneMore() {
        TokenBucket bucket = bucket(10, SECOND, 3);
        assertThat(bucket.take()).isTrue();
        assertThat(bucket.take()).isTrue();
        assertThat(bucket.delay()).isZero();
        assertThat(bucket.take()).isTrue();
        assertThat(bucket.delay()).isEqualTo(Duration.ofMillis(100));
        assertThat(bucket.take()).isFalse();
    }

    @Test
    void aTokenIsThereInTheNanosecondInWhichItIsDueAndNotBefore() {
        TokenBucket bucket = bucket(10, SECOND, 1);
        assertThat(bucket.take()).isTrue();
        nanos.set(99_999_999);
        assertThat(bucket.delay()).isEqualTo(Duration.ofNanos(1));
        assertThat(bucket.take()).isFalse();
        nanos.set(100_000_000);
        assertThat(bucket.delay()).isZero();
        assertThat(bucket.take()).isTrue();
        assertThat(bucket.take()).isFalse();
    }

    @Test
    void refusedAttemptsCostNothing() {
        TokenBucket bucket = bucket(10, SECOND, 1);
        assertThat(taken(bucket)).isEqualTo(1);
        for (int i = 0; i < 100; i++) {
            assertThat(bucket.take()).isFalse();
        }
        nanos.addAndGet(100_000_000);
        assertThat(bucket.take()).isTrue();
    }

    @Test
    void itRefillsSteadilyAndNeverBeyondTheBurst() {
        TokenBucket bucket = bucket(10, SECOND, 5);
        assertThat(taken(bucket)).isEqualTo(5);
        nanos.addAndGet(250_000_000);
        assertThat(taken(bucket)).isEqualTo(2);
        nanos.addAndGet(50_000_000);
        assertThat(taken(bucket)).as("half a token was left").isEqualTo(1);
        assertThat(bucket.isFull()).isFalse();
        nanos.addAndGet(500_000_000);
        assertThat(bucket.isFull()).isTrue();
        nanos.addAndGet(Duration.ofDays(365).toNanos());
        assertThat(taken(bucket)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, Long.MAX_VALUE - 50_000_000, Long.MAX_VALUE})
    void theClockMayHaveAnyOriginAndOverflow(long origin) {
        nanos.set(origin);
        TokenBucket bucket = bucket(10, SECOND, 2);
        assertThat(taken(bucket)).isEqualTo(2);
        nanos.addAndGet(100_000_000);
        assertThat(taken(bucket)).isEqualTo(1);
        nanos.addAndGet(3_600_000_000_000L);
        assertThat(taken(bucket)).isEqualTo(2);
    }

    @Test
    void moreThanOneTokenInANanosecondCountsAsOne() {
        TokenBucket bucket = bucket(Integer.MAX_VALUE, SECOND, 3);
        assertThat(taken(bucket)).isEqualTo(3);
        nanos.incrementAndGet();
        assertThat(taken(bucket)).isEqualTo(1);
    }

    @Test
    void aBurstThatRefillsInCenturiesDoesNotOverflow() {
        Duration longest = Duration.ofNanos(Long.MAX_VALUE);
        TokenBucket bucket = bucket(1, longest, Integer.MAX_VALUE);
        assertThat(bucket.take()).isTrue();
        assertThat(bucket.take()).isFalse();
        assertThat(bucket.delay()).isEqualTo(longest);
    }

    @Test
    void threadsTogetherTakeTheBurstAndNotOneMore() throws Exception {
        for (int round = 0; round < 50; round++) {
            TokenBucket bucket = bucket(1, Duration.ofHours(1), 1_000);
            assertThat(Threads.sum(8, () -> taken(bucket))).isEqualTo(1_000);
        }
    }
}
