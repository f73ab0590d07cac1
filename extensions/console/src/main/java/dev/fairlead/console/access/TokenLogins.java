package dev.fairlead.console.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The logins of people who have the token of a console. A login is signed with the token, so that
 * it lasts where the server starts again with the same token. Thread-safe.
 */
final class TokenLogins {
    /** The most logins that are known to have ended. */
    private static final int MAX_ENDED = 1_000;

    private static final String ALGORITHM = "HmacSHA256";

    private final String token;
    private final SecretKeySpec key;
    private final Duration lasts;
    private final InstantSource clock;
    private final Set<String> ended = new LinkedHashSet<>(); // guarded by this

    TokenLogins(String token, Duration lasts, InstantSource clock) {
        this.token = token;
        this.key = new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), ALGORITHM);
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
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // each Java platform has it
        }
    }
}
