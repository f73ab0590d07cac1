package dev.fairlead.auth.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.JWK;

import dev.fairlead.test.support.FreshLog;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.text.ParseException;
import java.util.List;
import java.util.logging.Level;

class PublishedKeysTest {
    private static final String GOOD =
            """
            {"kty": "EC", "crv": "P-256", "kid": "good",
             "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
             "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}\
            """;

    private final PublishedKeys published = new PublishedKeys("https://issuer.example");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "5",
                "[]",
                "{}",
                "\"key\"",
                """
                {"kty": null}\
                """,
                """
                {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AQ"}\
                """,
                """
                {"kty": "RSA", "e": "AQAB"}\
                """,
                """
                {"kty": "RSA", "n": 5, "e": {}}\
                """,
                """
                {"kty": "EC", "crv": "brainpoolP256r1", "x": "AQ", "y": "AQ"}\
                """,
                """
                {"kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ"}\
                """,
                """
                {"kty": "OKP", "crv": "X25519"}\
                """,
                """
                {"kty": "RSA", "n": "AQ", "e": "AQAB", "use": 5}\
                """,
                """
                {"kty": "RSA", "n": "AQ", "e": "AQAB", "use": "sig", "key_ops": ["encrypt"]}\
                """,
                """
                {"kty": "RSA", "n": "AQ", "e": "AQAB", "x5c": ["none"]}\
                """
            })
    void aKeyThatCannotBeUsedCostsItselfAlone(String bad) throws Exception {
        assertThat(published.read("{\"keys\": [" + bad + "," + GOOD + "," + bad + "]}").getKeys())
                .extracting(JWK::getKeyID)
                .containsExactly("good");
        assertThatThrownBy(() -> published.read("{\"keys\": [" + bad + "]}"))
                .isInstanceOf(ParseException.class)
                .hasMessageStartingWith("no key can be used: keys[0]: ");
    }

    @Test
    void keysThatAreLeftOutAreNamedWhenTheyAreNew() throws Exception {
        try (Logged logged = new Logged(PublishedKeys.class.getName(), Level.WARNING)) {
            for (String bad : List.of("5", "5", "{}")) {
                published.read("{\"keys\": [" + GOOD + "," + bad + "]}");
                FreshLog.forget();
            }
            assertThat(logged.lines())
                    .hasSize(2)
                    .allSatisfy(
                            line ->
                                    assertThat(line)
                                            .startsWith(
                                                    "WARNING The issuer https://issuer.example"
                                                            + " publishes keys that cannot be used;"
                                                            + " they are left out: keys[1]: "));
        }
    }

    @Test
    void anIssuerMayHaveNoKeys() throws Exception {
        assertThat(published.read("{\"keys\": []}").getKeys()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "[]", "{}", "{\"keys\": null}", "{\"keys\": {}}"})
    void anotherDocumentIsNoSetOfKeys(String document) {
        assertThatThrownBy(() -> published.read(document)).isInstanceOf(ParseException.class);
    }
}
