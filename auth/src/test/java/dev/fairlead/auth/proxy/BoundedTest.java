package dev.fairlead.auth.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

class BoundedTest {
    private static final Duration LIFE = Duration.ofMinutes(1);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final InstantSource source = now::get;
    private final Clock clock = source.withZone(ZoneOffset.UTC);
    private final Bounded<String> bounded = new Bounded<>(2, LIFE, clock);

    private void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    @Test
    void theOldestGoesFirst() {
        bounded.put("a", "1");
        bounded.put("b", "2");
        bounded.put("a", "3"); // is the youngest now
        bounded.put("c", "4");

        assertThat(bounded.find("a")).hasValue("3");
        assertThat(bounded.find("b")).isEmpty();
        assertThat(bounded.find("c")).hasValue("4");
    }

    @Test
    void whatHasEndedIsNotThereAndMakesRoom() {
        bounded.put("a", "1");
        pass(LIFE);

        assertThat(bounded.find("a")).isEmpty();
        assertThat(bounded.take("a")).isEmpty();
        bounded.put("b", "2");
        pass(LIFE);
        bounded.put("c", "3");
        assertThat(bounded.size()).isEqualTo(1);
    }

    @Test
    void whatReplacesAnotherIsKeptNoLonger() {
        bounded.put("a", "1");
        pass(LIFE.minusSeconds(1));
        bounded.replace("a", "2");
        bounded.replace("b", "3");

        assertThat(bounded.find("a")).hasValue("2");
        assertThat(bounded.find("b")).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(bounded.find("a")).isEmpty();
    }

    @Test
    void aValueIsTakenOnce() {
        bounded.put("a", "1");

        assertThat(bounded.take("a")).hasValue("1");
        assertThat(bounded.take("a")).isEmpty();
    }
}
