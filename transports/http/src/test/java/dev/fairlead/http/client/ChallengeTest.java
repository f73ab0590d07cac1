package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

@Requirement("AUTH-019")
class ChallengeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer scope=\"a b\", resource_metadata=\"https://x/y?z=1,2\"",
                "bearer resource_metadata=\"https://x/y?z=1,2\",scope=\"a b\"",
                "Basic realm=\"r, Bearer scope=\\\"no\\\"\", Bearer scope=\"a b\" ,"
                        + " resource_metadata = \"https://x/y?z=1,2\"",
                "Negotiate dG9rZW4=, Bearer realm=r, scope=\"a b\","
                        + " resource_metadata=\"https://x/y?z=1,2\"",
                "DPoP algs=\"ES256\", error=use, Bearer scope=\"a b\","
                        + "resource_metadata=\"https://x/y?z=1,2\", scope=\"twice\"",
                "Negotiate, Bearer SCOPE=\"a b\", Resource_Metadata=\"https://x/y?z=1,2\""
            })
    void theChallengeOfBearerIsFoundAmongOthers(String header) {
        Challenge challenge = Challenge.ofOAuth(List.of(header)).orElseThrow();

        assertThat(challenge.parameter("scope")).contains("a b");
        assertThat(challenge.parameter("resource_metadata")).contains("https://x/y?z=1,2");
    }

    @Test
    void challengesComeInSeveralHeaders() {
        assertThat(Challenge.read(List.of("Basic realm=x", "Bearer")))
                .extracting(Challenge::scheme)
                .containsExactly("basic", "bearer");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"Basic realm=x", "''", "=,=\"", "scope=a", "\"Bearer\"", ",,,"})
    void whatHoldsNoChallengeOfOAuthIsNone(String header) {
        assertThat(Challenge.ofOAuth(List.of(header))).isEmpty();
    }

    @Test
    void quotedCharactersAreThemselves() {
        assertThat(Challenge.ofOAuth(List.of("Bearer error_description=\"say \\\"hi\\\"\"")))
                .get()
                .extracting(given -> given.parameter("error_description").orElseThrow())
                .isEqualTo("say \"hi\"");
    }

    @Test
    void aLongHeaderIsReadInLittleTime() {
        String hostile = "Bearer " + "a=\"\\".repeat(5000);

        assertThat(Challenge.read(List.of(hostile))).hasSizeLessThan(10_000);
    }
}
