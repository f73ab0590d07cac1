package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.EventLimits;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class EventGrowthTest {
    private static final String ALL = EventRetention.WHOLE_SPACE;

    private final EventGrowth growth =
            new EventGrowth(new EventLimits(80, 8_000, 80_000, Duration.ofMinutes(1)));

    @Test
    void theWholeSpaceIsDueWithTheFirstEventAndWithEachEighthOfItsBytes() {
        assertThat(growth.add("a", 1)).containsExactly(ALL);
        int added = 0;
        for (int i = 0; added + 564 <= 10_000; i++, added += 564) {
            assertThat(growth.add("s" + i, 500)).isEmpty();
        }
        assertThat(growth.add("b", 500)).containsExactly(ALL);
        assertThat(growth.add("c", 500)).isEmpty();
    }

    @Test
    void aSessionIsDueWithEachEighthOfItsEventsOrBytes() {
        assertThat(growth.add("other", 1)).containsExactly(ALL);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 10; i++) {
                assertThat(growth.add("a", 0)).isEmpty();
            }
            assertThat(growth.add("a", 0)).containsExactly("a");
        }
        assertThat(growth.add("a", 1_000)).isEmpty();
        assertThat(growth.add("a", 1)).containsExactly("a");
    }

    /** An event that exceeds the limits alone stays only until there is a newer one. */
    @Test
    void theEventAfterATooLargeOneIsDueAsWell() {
        assertThat(growth.add("a", 100_000)).containsExactly(ALL, "a");
        assertThat(growth.add("a", 1)).containsExactly(ALL, "a");
        assertThat(growth.add("a", 1)).isEmpty();
    }

    @Test
    void checksThatWereNotRequestedAreDueWithTheNextEvent() {
        growth.restore(growth.add("a", 5_000));
        assertThat(growth.add("b", 1)).containsExactly(ALL);
        growth.restore(List.of());
        assertThat(growth.add("b", 1)).isEmpty();
    }

    @Test
    void aForgottenSessionIsNotCountedAnyMore() {
        for (int i = 0; i < 10; i++) {
            growth.add("a", 0);
        }
        growth.forget("a");
        assertThat(growth.sessions()).isZero();
        assertThat(growth.add("a", 0)).isEmpty();
    }

    @Test
    void theSessionsUsedLastAreCounted() {
        growth.add("first", 0);
        for (int i = 0; i < 9; i++) {
            growth.add("a", 0);
        }
        for (int i = 0; i < EventGrowth.MAX_SESSIONS; i++) {
            growth.add("s" + i, 0);
            if (i == 100) {
                growth.add("a", 0);
            }
        }
        assertThat(growth.add("a", 0)).contains("a");
        assertThat(growth.sessions()).isEqualTo(EventGrowth.MAX_SESSIONS - 1);
    }
}
