package dev.fairlead.console.access;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The logins of a console by the secrets of their cookies. Bounded; thread-safe. */
final class Logins {
    private static final int MAX = 100;

    private final InstantSource clock;
    private final Map<String, Person> people = new LinkedHashMap<>(); // guarded by this

    Logins(InstantSource clock) {
        this.clock = clock;
    }

    /** Adds a login; where there are too many, the oldest ends. */
    synchronized String add(Person person) {
        String secret = Gate.newSecret();
        people.put(secret, person);
        if (people.size() > MAX) {
            people.remove(people.keySet().iterator().next());
        }
        return secret;
    }

    synchronized Optional<Person> find(String secret) {
        Optional<Person> known = Optional.ofNullable(people.get(secret));
        if (known.isPresent() && known.get().until().isBefore(clock.instant())) {
            people.remove(secret);
            return Optional.empty();
        }
        return known;
    }

    synchronized void remove(String secret) {
        people.remove(secret);
    }
}
