package dev.fairlead.console.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/** Logins that the token of a console signs. */
class TokenLoginsTest {
    private static final String TOKEN = "a-token-of-twenty-characters";
    private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

    private Instant now = NOON;
    private final TokenLogins logins = logins(TOKEN);

    private TokenLogins logins(String token) {
        return new TokenLogins(token, Duration.ofHours(12), () -> now);
    }

    @Test
    void aLoginLastsWhereTheServerStartsAgain() {
        String secret = logins.add(TOKEN).orElseThrow();
        Person person = logins.find(secret).orElseThrow();
        assertThat(logins(TOKEN).find(secret)).contains(person);
        assertThat(person.writeToken()).isNotEqualTo(secret).hasSizeGreaterThan(40);
    }

    @Test
    void anotherTokenKnowsItNot() {
        String secret = logins.add(TOKEN).orElseThrow();
        assertThat(logins.add("another-token-of-the-kind")).isEmpty();
        assertThat(logins("another-token-of-the-kind").find(secret)).isEmpty();
    }

    @Test
    void aForgedLoginIsNone() {
        String secret = logins.add(TOKEN).orElseThrow();
        String later = NOON.plus(Duration.ofDays(99)).getEpochSecond() + "";
        for (String forged :
                new String[] {
                    "",
                    ".",
                    "..",
                    "x",
                    secret.substring(1),
                    secret + "A",
                    later + secret.substring(secret.indexOf('.')),
                    logins.find(secret).orElseThrow().writeToken()
                }) {
            assertThat(logins.find(forged)).as(forged).isEmpty();
        }
    }

    @Test
    void aLoginEndsAfterItsTimeOrWithALogout() {
        String secret = logins.add(TOKEN).orElseThrow();
        String other = logins.add(TOKEN).orElseThrow();
        logins.remove(secret);
        assertThat(logins.find(secret)).isEmpty();
        assertThat(logins.find(other)).isPresent();
        now = NOON.plus(Duration.ofHours(13));
        assertThat(logins.find(other)).isEmpty();
    }
}
