package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.Owner;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

@Requirement("TASK-105")
class SuspicionTest {
    private final AtomicLong millis = new AtomicLong();
    private final InstantSource source = () -> Instant.ofEpochMilli(millis.get());
    private final Clock clock = source.withZone(ZoneOffset.UTC);
    private final Suspicion suspicion =
            new Suspicion(Tasks.inMemory().limits(), new Audit(List.of(), clock), clock);

    private void pollBy(int owners) {
        for (int i = 0; i < owners; i++) {
            suspicion.poll(new Owner.Local("owner " + i));
        }
    }

    @Test
    void thoseOfEarlierMinutesAreForgotten() {
        pollBy(50);
        assertThat(suspicion.size()).isEqualTo(50);
        millis.addAndGet(60_000);
        pollBy(1);
        assertThat(suspicion.size()).isEqualTo(1);
    }

    @Test
    void thoseOfOneMinuteAreBounded() {
        pollBy(Suspicion.MAX_OWNERS + 100);
        assertThat(suspicion.size()).isEqualTo(Suspicion.MAX_OWNERS);
    }
}
