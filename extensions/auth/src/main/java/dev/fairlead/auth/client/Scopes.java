package dev.fairlead.auth.client;

import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.Challenge;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A set of scopes, in the order in which they were named. */
record Scopes(Set<String> names) {
    static final Scopes NONE = new Scopes(Set.of());

    /** All scopes that a server names together, in characters. */
    static final int MAX_LENGTH = 8_000;

    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]+");

    Scopes {
        names = Collections.unmodifiableSet(new LinkedHashSet<>(names));
    }

    static Scopes of(Collection<String> names) {
        return new Scopes(new LinkedHashSet<>(names));
    }

    /**
     * Returns the scopes that a server offers or requires, without malformed ones (RFC 6749, 3.3).
     *
     * @throws AuthorizationException if they are too many for a request
     */
    static Scopes offered(Collection<String> names) {
        List<String> scopes =
                names.stream().filter(name -> SCOPE.matcher(name).matches()).distinct().toList();
        int length = scopes.stream().mapToInt(name -> name.length() + 1).sum();
        if (length > MAX_LENGTH) {
            throw new AuthorizationException(
                    "the server names scopes of more than "
                            + MAX_LENGTH
                            + " characters; name those that you need with OAuth.scopes");
        }
        return of(scopes);
    }

    /** Returns the scopes that a challenge requires; none if it names none. */
    static Scopes asked(Challenge challenge) {
        return challenge
                .parameter("scope")
                .map(text -> offered(List.of(text.split(" "))))
                .orElse(NONE);
    }

    /** Parses scopes that are separated by spaces. */
    static Scopes parse(String text) {
        return of(Arrays.stream(text.split(" ")).filter(name -> !name.isEmpty()).toList());
    }

    Scopes with(Scopes others) {
        Set<String> union = new LinkedHashSet<>(names);
        union.addAll(others.names);
        return new Scopes(union);
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    boolean contains(Scopes others) {
        return names.containsAll(others.names);
    }

    /** The scopes with a space between each. */
    @Override
    public String toString() {
        return String.join(" ", names);
    }
}
