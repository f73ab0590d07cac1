package dev.fairlead.auth.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

class SharedTest {
    private static final Duration LIFE = Duration.ofMinutes(1);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final InstantSource source = now::get;
    private final Clock clock = source.withZone(ZoneOffset.UTC);

    private void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    private Shared<String> shared(int ofOwner, int inAll) {
        return new Shared<>(new Shared.Share(ofOwner, inAll), LIFE, clock);
    }

    @Test
    void theOldestOfOneOwnerGoesFirst() {
        Shared<String> shared = shared(2, 10);
        shared.putForOldest("ann", "a", "1");
        shared.putForOldest("ann", "b", "2");
        shared.putForOldest("ann", "a", "3"); // is the youngest now
        shared.putForOldest("ann", "c", "4");

        assertThat(shared.find("a")).hasValue("3");
        assertThat(shared.find("b")).isEmpty();
        assertThat(shared.find("c")).hasValue("4");
    }

    @Test
    void aClockThatIsSetBackKeepsNothingForLonger() {
        Shared<String> shared = shared(2, 2);
        pass(Duration.ofDays(365));
        shared.put("ann", "1", "");
        pass(Duration.ofDays(-365));
        assertThat(shared.put("ann", "2", "")).isTrue();
        pass(LIFE);

        assertThat(shared.find("1")).isEmpty();
        assertThat(shared.put("ann", "3", "")).isTrue();
        assertThat(shared.put("ann", "4", "")).isTrue();
    }

    @Test
    void whereAllIsFullTheOldestOfTheLargestOwnerGoesFirst() {
        Shared<String> shared = shared(3, 4);
        shared.putForOldest("bob", "1", "");
        shared.putForOldest("ann", "2", "");
        shared.putForOldest("ann", "3", "");
        shared.putForOldest("ann", "4", "");
        shared.putForOldest("cleo", "5", "");

        assertThat(shared.find("1")).isPresent();
        assertThat(shared.find("2")).isEmpty();
        assertThat(shared.find("5")).isPresent();
        assertThat(shared.size()).isEqualTo(4);
    }

    @Test
    void ofOwnersWithAsManyTheOldestGoesFirst() {
        Shared<String> shared = shared(2, 3);
        shared.putForOldest("ann", "1", "");
        shared.putForOldest("bob", "2", "");
        shared.putForOldest("cleo", "3", "");
        shared.putForOldest("dora", "4", "");

        assertThat(shared.find("1")).isEmpty();
        assertThat(shared.find("2")).isPresent();
    }

    @Test
    void aKeyOfSeveralOwnersIsEndedByNoneWithMany() {
        Shared<String> shared = shared(2, 10);
        shared.putForOldest("mallory", "first", "");
        shared.putForOldest("mallory", "other", "");
        shared.putForOldest("ann", "first", ""); // is ann's now
        shared.putForOldest("ann", "second", "");
        shared.putForOldest("mallory", "more", "");
        shared.putForOldest("mallory", "second", ""); // stays ann's
        shared.putForOldest("mallory", "1", "");
        shared.putForOldest("mallory", "2", "");
        shared.putForOldest("mallory", "3", "");

        assertThat(shared.find("first")).isPresent();
        assertThat(shared.find("second")).isPresent();
    }

    @Test
    void anOwnerGetsNoMoreThanItsShare() {
        Shared<String> shared = shared(2, 10);

        assertThat(shared.put("mallory", "1", "")).isTrue();
        assertThat(shared.put("mallory", "2", "")).isTrue();
        assertThat(shared.put("mallory", "3", "")).isFalse();
        assertThat(shared.put("ann", "4", "")).isTrue();
        assertThat(shared.find("1")).isPresent();
        assertThat(shared.find("3")).isEmpty();
        shared.take("1");
        assertThat(shared.put("mallory", "5", "")).isTrue();
    }

    @Test
    void whereAllIsFullTheNewestOfTheLargestOwnerMakesRoom() {
        Shared<String> shared = shared(3, 4);
        shared.put("ann", "1", "");
        shared.put("mallory", "2", "");
        shared.put("mallory", "3", "");
        shared.put("mallory", "4", "");

        assertThat(shared.put("bob", "5", "")).isTrue();
        assertThat(shared.find("4")).as("the newest of mallory").isEmpty();
        assertThat(shared.find("1")).isPresent();
        assertThat(shared.find("2")).isPresent();
        assertThat(shared.put("ann", "6", "")).as("as many as mallory then").isFalse();
        assertThat(shared.put("cleo", "7", "")).isTrue();
        assertThat(shared.put("dora", "8", "")).as("all have one").isFalse();
    }

    @Test
    void whatHasEndedIsNotThereAndMakesRoom() {
        Shared<String> shared = shared(1, 1);
        shared.put("ann", "a", "1");
        pass(LIFE);

        assertThat(shared.find("a")).isEmpty();
        assertThat(shared.take("a")).isEmpty();
        assertThat(shared.put("ann", "b", "2")).isTrue();
        pass(LIFE);
        shared.putForOldest("bob", "c", "3");
        assertThat(shared.size()).isEqualTo(1);
    }

    @Test
    void whatReplacesAnotherIsKeptNoLonger() {
        Shared<String> shared = shared(2, 2);
        shared.put("ann", "a", "1");
        pass(LIFE.minusSeconds(1));
        shared.replace("a", "2");
        shared.replace("b", "3");

        assertThat(shared.find("a")).hasValue("2");
        assertThat(shared.find("b")).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(shared.find("a")).isEmpty();
    }

    @Test
    void aValueIsTakenOnce() {
        Shared<String> shared = shared(2, 2);
        shared.put("ann", "a", "1");

        assertThat(shared.take("a")).hasValue("1");
        assertThat(shared.take("a")).isEmpty();
    }

    @Test
    void anythingInAnyOrderKeepsTheBounds() {
        Shared<String> shared = shared(5, 40);
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String owner = "owner" + random.nextInt(20);
            String key = "key" + random.nextInt(200);
            switch (random.nextInt(5)) {
                case 0 -> shared.put(owner, "new" + i, "");
                case 1, 2 -> shared.putForOldest(owner, key, "");
                case 3 -> shared.take(key);
                default -> pass(Duration.ofMillis(random.nextInt(500)));
            }
            assertThat(shared.size()).isBetween(0, 40);
        }
        pass(LIFE);
        shared.putForOldest("ann", "last", "");
        assertThat(shared.size()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0,1", "2,1", "-1,-1"})
    void aShareThatCannotBeIsRefused(int ofOwner, int inAll) {
        assertThatThrownBy(() -> new Shared.Share(ofOwner, inAll))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(ofOwner + " and " + inAll);
    }
}
