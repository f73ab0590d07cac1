package dev.fairlead.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

class FairLimitTest {
    private final FairLimit limit = new FairLimit(1_000);

    private static Source session(String caller, String session) {
        return new Source(caller, session, false);
    }

    /** Takes places one by one until there are no more. */
    private static List<FairLimit.Permits> exhaust(FairLimit limit, Source source) {
        List<FairLimit.Permits> taken = new ArrayList<>();
        Optional<FairLimit.Permits> next = limit.take(source, 1);
        while (next.isPresent()) {
            taken.add(next.get());
            next = limit.take(source, 1);
        }
        return taken;
    }

    @Test
    void oneCallerMayTakeAll() {
        assertThat(exhaust(limit, session("a", "1"))).hasSize(1_000);
        assertThat(limit.used()).isEqualTo(1_000);
    }

    @Test
    void theReserveIsForSourcesThatHoldLittle() {
        exhaust(limit, session("a", "1"));

        assertThat(exhaust(limit, session("b", "2"))).hasSize(28);
        assertThat(exhaust(limit, session("c", "3"))).hasSize(25);
        assertThat(limit.take(session("a", "1"), 1)).isEmpty();
    }

    @Test
    void aSessionThatHoldsLittleGetsAPlaceAlthoughItsCallerHoldsMuch() {
        exhaust(limit, session("a", "1"));

        assertThat(exhaust(limit, session("a", "2"))).hasSize(14);
        assertThat(limit.take(new Source("a", null, false), 1)).isEmpty();
    }

    @Test
    void sessionsOfOneCallerTakeHalfOfTheReserveAtMost() {
        exhaust(limit, session("a", "0"));
        for (int i = 1; i < 1_000; i++) {
            exhaust(limit, session("a", "" + i));
        }

        assertThat(limit.used()).isLessThanOrEqualTo(1_125);
        assertThat(limit.take(session("b", "b"), 1)).isPresent();
    }

    @Test
    void manyCallersTakeTheLimitAndItsReserveAtMost() {
        for (int i = 0; i < 10_000; i++) {
            exhaust(limit, session("c" + i, "s" + i));
        }

        assertThat(limit.used()).isLessThanOrEqualTo(1_250);
    }

    @Test
    void severalPlacesAreTakenTogetherOrNotAtAll() {
        assertThat(limit.take(session("a", "1"), 1_001)).isEmpty();
        assertThat(limit.used()).isZero();
        assertThat(limit.take(session("a", "1"), 1_000)).isPresent();
        assertThat(limit.take(session("b", "2"), 33)).isEmpty();
        assertThat(limit.take(session("b", "2"), 32)).isPresent();
    }

    @Test
    void whatIsGivenBackIsFreeAgainAndCountsOnce() {
        Source source = session("a", "1");
        FairLimit.Permits places = limit.take(source, 1_000).orElseThrow();

        places.release();
        places.release();

        assertThat(limit.used()).isZero();
        assertThat(limit.used(source)).isZero();
        assertThat(exhaust(limit, source)).hasSize(1_000);
    }

    @Test
    void aSmallLimitHasNoReserve() {
        FairLimit small = new FairLimit(3);
        exhaust(small, session("a", "1"));

        assertThat(small.take(session("b", "2"), 1)).isEmpty();
    }

    @Test
    void theLargestLimitDoesNotOverflow() {
        FairLimit huge = new FairLimit(Integer.MAX_VALUE);

        assertThat(huge.take(session("a", "1"), Integer.MAX_VALUE)).isPresent();
        assertThat(huge.take(session("b", "2"), 1)).isPresent();
        assertThat(huge.take(session("a", "1"), 1)).isEmpty();
    }

    @Test
    void theHeaviestCallersHoldAtLeastAsMuchAsTheSource() {
        limit.take(session("a", "1"), 5);
        limit.take(session("b", "2"), 7);
        limit.take(session("c", "3"), 7);

        assertThat(limit.heaviest(session("a", "1"), Set.of())).containsExactlyInAnyOrder("b", "c");
        assertThat(limit.heaviest(session("d", "4"), Set.of("b", "c"))).containsExactly("a");
        assertThat(limit.heaviest(session("b", "2"), Set.of("b", "c"))).isEmpty();
    }
}
