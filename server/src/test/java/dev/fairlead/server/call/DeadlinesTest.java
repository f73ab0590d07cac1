package dev.fairlead.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

@Requirement("LIFE-032")
class DeadlinesTest {
    private final ManualTimers timers = new ManualTimers();
    private final Deadlines deadlines = new Deadlines(timers);
    private final List<String> expired = new ArrayList<>();

    private Deadlines.Watch watch(Duration left, String name) {
        return deadlines.watch(timers.clock().instant().plus(left), left, () -> expired.add(name));
    }

    @Test
    void eachDeadlineIsKeptToTheMoment() {
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
    void whatWasCancelledNeverExpiresWhereverItWaits() {
        Deadlines.Watch near = watch(Duration.ofMillis(300), "near");
        Deadlines.Watch young = watch(Duration.ofSeconds(10), "young");
        Deadlines.Watch grown = watch(Duration.ofSeconds(10), "grown");
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
    void manyShortCallsShareOneTimer() {
        for (int i = 0; i < 1_000; i++) {
            watch(Duration.ofHours(1), "x").cancel();
        }

        assertThat(timers.waiting()).isEqualTo(1);
    }
}
