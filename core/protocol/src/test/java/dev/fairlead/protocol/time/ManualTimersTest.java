package dev.fairlead.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

class ManualTimersTest {
    private final ManualTimers timers = new ManualTimers();
    private final List<String> happened = new ArrayList<>();

    @Test
    void whatIsDueHappensInTheOrderOfItsTime() {
        Instant start = timers.clock().instant();
        timers.schedule(Duration.ofSeconds(2), () -> happened.add("two"));
        timers.schedule(
                Duration.ofSeconds(1),
                () -> {
                    happened.add("one at " + Duration.between(start, timers.clock().instant()));
                    timers.schedule(Duration.ofSeconds(1), () -> happened.add("one later"));
                });
        timers.schedule(Duration.ofSeconds(4), () -> happened.add("four"));
        timers.advance(Duration.ofSeconds(3));
        assertThat(happened).containsExactly("one at PT1S", "two", "one later");
        assertThat(timers.clock().instant()).isEqualTo(start.plusSeconds(3));
        assertThat(timers.waiting()).isEqualTo(1);
    }

    @Test
    void whatIsCancelledDoesNotHappen() {
        Timers.Timer timer = timers.schedule(Duration.ofSeconds(1), () -> happened.add("one"));
        timer.cancel();
        timers.advance(Duration.ofSeconds(1));
        assertThat(happened).isEmpty();
    }
}
