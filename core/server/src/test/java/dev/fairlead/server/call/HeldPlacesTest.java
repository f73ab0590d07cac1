package dev.fairlead.server.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class HeldPlacesTest {
    private static final long BYTES = 800; // 100 of each caller

    private final HeldPlaces places = new HeldPlaces(1_000, 100, BYTES);

    private void assertRefused(Object caller, long size) {
        int before = places.size();
        assertThatThrownBy(() -> places.take(caller, size))
                .isInstanceOfSatisfying(
                        RequestRefusedException.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(RequestRefusedException.Kind.LIMIT);
                            assertThat(e.error().message()).contains("too many bytes");
                        });
        assertThat(places.size()).isEqualTo(before);
    }

    @Test
    @Requirement("N26-MRTR-015")
    void aCallerHasItsPartOfTheBytesAndNotOneMore() {
        assertRefused("ada", 101);
        places.take("ada", 60);
        assertRefused("ada", 41);
        HeldPlaces.Place second = places.take("ada", 40);
        assertRefused("ada", 1);
        places.take("ada", 0);
        places.take("bob", 100);
        second.release();
        assertRefused("ada", 41);
        places.take("ada", 40);
    }

    @Test
    @Requirement("N26-MRTR-015")
    void allCallersTogetherHaveTheBytesAndNotOneMore() {
        HeldPlaces.Place first = places.take(0, 100);
        for (int caller = 1; caller < 7; caller++) {
            places.take(caller, 100);
        }
        places.take(7, 99);
        assertRefused(8, 2);
        places.take(8, 1);
        assertRefused(9, 1);
        first.release();
        places.take(9, 100);
        assertRefused(0, 1);
    }

    @Test
    void whatIsGivenBackLeavesNothing() {
        for (int round = 0; round < 3; round++) {
            List<HeldPlaces.Place> taken = new ArrayList<>();
            for (int caller = 0; caller < 8; caller++) {
                taken.add(places.take(caller, 50));
                taken.add(places.take(caller, 50));
            }
            assertThat(places.size()).isEqualTo(16);
            taken.forEach(HeldPlaces.Place::release);
            assertThat(places.size()).isZero();
        }
    }
}
