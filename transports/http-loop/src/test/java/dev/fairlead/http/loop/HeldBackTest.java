package dev.fairlead.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class HeldBackTest {
    private long now = 7;
    private final HeldBack<Integer> heldBack = new HeldBack<>(() -> now);

    @Test
    void theFirstConnectionWaitsNoLongerThanItsTime() {
        heldBack.add(1);
        now += HeldBack.WITHIN_NANOS;
        heldBack.add(2);
        assertThat(heldBack.isDue()).isFalse();

        now++;
        assertThat(heldBack.isDue()).isTrue();
    }

    @Test
    void noMoreConnectionsWaitThanMay() {
        for (int i = 1; i < HeldBack.MOST; i++) {
            heldBack.add(i);
        }
        assertThat(heldBack.isDue()).isFalse();

        heldBack.add(HeldBack.MOST);
        assertThat(heldBack.isDue()).isTrue();
    }

    @Test
    void whatIsRemovedWaitsNoMoreAndTheNextOneHasItsOwnTime() {
        heldBack.add(1);
        heldBack.add(2);
        now += HeldBack.WITHIN_NANOS + 1;
        List<Integer> removed = new ArrayList<>();
        heldBack.removeAll(removed::add);

        assertThat(removed).containsExactly(1, 2);
        assertThat(heldBack.isDue()).isFalse();
        heldBack.add(3);
        assertThat(heldBack.isDue()).isFalse();
    }
}
