package dev.fairlead.console.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Logins that a console keeps. */
class LoginsTest {
    private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

    private Instant now = NOON;
    private final Logins logins = new Logins(() -> now);

    private String add(String who) {
        return logins.add(who, new Person(who, false, "w", null, NOON.plusSeconds(60)));
    }

    @Test
    void ofManyLoginsOfAPersonTheOldestEndAndThoseOfOthersStay() {
        String other = add("ann");
        List<String> own = new ArrayList<>();
        for (int login = 0; login < 2 * Logins.MAX_OF_PERSON; login++) {
            own.add(add("bob"));
        }
        assertThat(logins.find(other)).isPresent();
        assertThat(own.subList(0, Logins.MAX_OF_PERSON))
                .allSatisfy(ended -> assertThat(logins.find(ended)).isEmpty());
        assertThat(own.subList(Logins.MAX_OF_PERSON, own.size()))
                .allSatisfy(kept -> assertThat(logins.find(kept)).isPresent());
    }

    @Test
    void ofMoreThanAreKeptTheOldestEnds() {
        String first = add("0");
        String second = add("1");
        for (int person = 2; person < Logins.MAX; person++) {
            add(Integer.toString(person));
        }
        assertThat(logins.find(first)).isPresent();
        add("last");
        assertThat(logins.find(first)).isEmpty();
        assertThat(logins.find(second)).isPresent();
    }

    @Test
    void aLoginEndsAfterItsTime() {
        String secret = add("ann");
        now = NOON.plusSeconds(60);
        assertThat(logins.find(secret)).isPresent();
        now = NOON.plusSeconds(61);
        assertThat(logins.find(secret)).isEmpty();
    }
}
