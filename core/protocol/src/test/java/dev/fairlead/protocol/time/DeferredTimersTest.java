package dev.fairlead.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

@Requirement("LIFE-032")
class DeferredTimersTest {
    private final ManualTimers timers = new ManualTimers();
    private final DeferredTimers deferred = new DeferredTimers(timers.share());
    private final List<String> expired = new ArrayList<>();

    private Timers.Timer watch(Duration left, String name) {
        return deferred.schedule(left, () -> expired.add(name));
    }

    @Test
    void eachRunsAtItsMoment() {
        watch(Duration.ofMillis(300), "near");
        watch(Duration.ofMillis(2_500), "far");

        timers.advance(Duration.ofMillis(299));
        assertThat(expired).isEmpty();
        timers.advance(Duration.ofMillis(1));
        assertThat(expired).containsExactly("near");
        timers.advance(Duration.ofMillis(2_199));
        assertThat(expired).containsExactly("near");
        timers.advance(Duration.ofMillis(1));
        assertThat(expired).containsExactly("near", "far");
    }

    @Test
    void whatWasCancelledNeverRunsWhereverItWaits() {
        Timers.Timer near = watch(Duration.ofMillis(300), "near");
        Timers.Timer young = watch(Duration.ofSeconds(10), "young");
        Timers.Timer grown = watch(Duration.ofSeconds(10), "grown");
        near.cancel();
        young.cancel();
        timers.advance(Duration.ofSeconds(2));
        grown.cancel();

        timers.advance(Duration.ofHours(1));

        assertThat(expired).isEmpty();
        assertThat(timers.waiting()).isZero();
    }

    @Test
    void whatComesAfterAPromotionIsPromotedLater() {
        watch(Duration.ofSeconds(5), "first");
        timers.advance(Duration.ofSeconds(3));
        watch(Duration.ofSeconds(5), "second");
        timers.advance(Duration.ofSeconds(2));
        assertThat(expired).containsExactly("first");

        timers.advance(Duration.ofSeconds(3));

        assertThat(expired).containsExactly("first", "second");
    }

    @Test
    void whatIsCancelledSoonSharesOneTimer() {
        for (int i = 0; i < 1_000; i++) {
            watch(Duration.ofHours(1), "x").cancel();
        }

        assertThat(timers.waiting()).isEqualTo(1);
    }

    @Test
    void theLongestDelayIsNoError() {
        Timers.Timer timer = watch(Duration.ofSeconds(Long.MAX_VALUE), "never");
        timers.advance(Duration.ofDays(10_000));
        assertThat(expired).isEmpty();
        assertThat(timers.waiting()).isEqualTo(1);

        timer.cancel();

        assertThat(timers.waiting()).isZero();
    }

    @Test
    void keepsNothingOnceClosed() {
        watch(Duration.ofSeconds(5), "queued");
        deferred.close();
        watch(Duration.ofSeconds(5), "late");

        timers.advance(Duration.ofHours(1));

        assertThat(expired).isEmpty();
        assertThat(timers.waiting()).isZero();
    }
}
