package dev.fairlead.auth.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.testing.OwnedValuesContract;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

class InMemoryValuesTest extends OwnedValuesContract {
    private static final Duration LIFE = Duration.ofMinutes(1);
    private static final byte[] VALUE = {1};

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final InstantSource source = now::get;
    private final Clock clock = source.withZone(ZoneOffset.UTC);
    private final InMemoryValues.Store store = new InMemoryValues.Store(clock);

    @Override
    protected OwnedValues.Source newStore() {
        return store;
    }

    @Override
    protected OwnedValues.Source furtherNode() {
        return newStore();
    }

    @Override
    protected void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    private InMemoryValues values(int ofOwner, int inAll) {
        return new InMemoryValues(new OwnedValues.Share(ofOwner, inAll), LIFE, clock);
    }

    @Test
    void aClockThatIsSetBackKeepsNothingForLonger() {
        InMemoryValues values = values(2, 2);
        pass(Duration.ofDays(365));
        values.put("ann", 2, "1", VALUE);
        pass(Duration.ofDays(-365));
        assertThat(values.put("ann", 2, "2", VALUE)).isTrue();
        pass(LIFE);

        assertThat(values.find("1")).isEmpty();
        assertThat(values.put("ann", 2, "3", VALUE)).isTrue();
        assertThat(values.put("ann", 2, "4", VALUE)).isTrue();
    }

    @Test
    void manyInAnyOrderKeepTheBounds() {
        InMemoryValues values = values(5, 40);
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String owner = "owner" + random.nextInt(20);
            String key = "key" + random.nextInt(200);
            switch (random.nextInt(5)) {
                case 0 -> values.put(owner, 5, "new" + i, VALUE);
                case 1, 2 -> values.putForOldest(owner, key, VALUE);
                case 3 -> values.take(key);
                default -> pass(Duration.ofMillis(random.nextInt(500)));
            }
            assertThat(values.size()).isBetween(0, 40);
        }
        pass(LIFE);
        values.putForOldest("ann", "last", VALUE);
        assertThat(values.size()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0,1", "2,1", "-1,-1"})
    void aShareThatCannotBeIsRefused(int ofOwner, int inAll) {
        assertThatThrownBy(() -> new OwnedValues.Share(ofOwner, inAll))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(ofOwner + " and " + inAll);
    }
}
