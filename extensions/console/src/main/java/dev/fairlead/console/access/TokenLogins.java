package dev.fairlead.console.access;

import dev.fairlead.protocol.platform.HmacSha256;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The logins of people who have the token of a console. A login is signed with the token, so that
 * it lasts where the server starts again with the same token. A process knows the logins that it
 * has ended, and not those of the one before. Thread-safe.
 */
final class TokenLogins {
    /** The most logins that are known to have ended. */
    private static final int MAX_ENDED = 1_000;

    private final String token;
    private final HmacSha256 signature;
    private final Duration lasts;
    private final InstantSource clock;
    private final Set<String> ended = new LinkedHashSet<>(); // guarded by this

    TokenLogins(String token, Duration lasts, InstantSource clock) {
        this.token = token;
        this.signature = new HmacSha256(token.getBytes(StandardCharsets.UTF_8), new byte[0]);
        this.lasts = lasts;
        this.clock = clock;
    }

    /** Adds a login, and returns its secret; empty for another token. */
    Optional<String> add(String sent) {
        if (!Gate.isSame(sent, token)) {
            return Optional.empty();
        }
        String login = clock.instant().plus(lasts).getEpochSecond() + "." + Gate.newSecret();
        return Optional.of(login + "." + signed("login " + login));
    }

    /** Returns the person of a login; empty if it has ended or is not of this token. */
    Optional<Person> find(String secret) {
        int at = secret.lastIndexOf('.');
        String login = secret.substring(0, Math.max(0, at));
        if (!Gate.isSame(secret.substring(at + 1), signed("login " + login)) || hasEnded(secret)) {
            return Optional.empty();
        }
        Instant until =
                Instant.ofEpochSecond(Long.parseLong(login.substring(0, login.indexOf('.'))));
        return until.isBefore(clock.instant())
                ? Optional.empty()
                : Optional.of(
                        new Person("the local user", true, signed("page " + login), null, until));
    }

    /** Ends a login. */
    synchronized void remove(String secret) {
        if (find(secret).isEmpty()) {
            return; // nothing to remember
        }
        ended.add(secret);
        if (ended.size() > MAX_ENDED) {
            ended.remove(ended.iterator().next());
        }
    }

    private synchronized boolean hasEnded(String secret) {
        return ended.contains(secret);
    }

    private String signed(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(signature.bytes(text.getBytes(StandardCharsets.UTF_8)));
    }
}
