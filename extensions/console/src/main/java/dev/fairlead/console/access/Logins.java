package dev.fairlead.console.access;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The logins of a console by the secrets of their cookies. Bounded; thread-safe. */
final class Logins {
    static final int MAX_OF_PERSON = 10;
    static final int MAX = 1_000;

    private final InstantSource clock;
    private final Map<String, Login> logins = new LinkedHashMap<>(); // by age; guarded by this

    private record Login(Object owner, Person person) {}

    Logins(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Adds a login. Where there are too many, the oldest of this person ends, or the oldest of all.
     *
     * @param owner the same for all logins of a person
     */
    synchronized String add(Object owner, Person person) {
        String secret = Gate.newSecret();
        logins.put(secret, new Login(owner, person));
        List<String> own =
                logins.entrySet().stream()
                        .filter(each -> each.getValue().owner.equals(owner))
                        .map(Map.Entry::getKey)
                        .toList();
        if (own.size() > MAX_OF_PERSON) {
            logins.remove(own.getFirst());
        } else if (logins.size() > MAX) {
            logins.remove(logins.keySet().iterator().next());
        }
        return secret;
    }

    synchronized Optional<Person> find(String secret) {
        Optional<Person> known = Optional.ofNullable(logins.get(secret)).map(Login::person);
        if (known.isPresent() && known.get().until().isBefore(clock.instant())) {
            logins.remove(secret);
            return Optional.empty();
        }
        return known;
    }

    synchronized void remove(String secret) {
        logins.remove(secret);
    }
}
