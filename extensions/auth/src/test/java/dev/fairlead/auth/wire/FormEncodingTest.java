package dev.fairlead.auth.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

class FormEncodingTest {
    /** The example of RFC 6749, appendix B. */
    private static final String ODD = " %&+£€";

    @Test
    void aBodyIsWrittenAsRfc6749Says() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("scope", "read write");
        fields.put("secret", ODD);

        assertThat(FormEncoding.body(fields))
                .isEqualTo("scope=read+write&secret=+%25%26%2B%C2%A3%E2%82%AC");
    }

    @Test
    void aSpaceInAUrlIsReadByDecodersOfUrlsAndOfForms() {
        String url = FormEncoding.appended("https://login.example/", Map.of("x", ODD));

        assertThat(url).isEqualTo("https://login.example/?x=%20%25%26%2B%C2%A3%E2%82%AC");
        assertThat(URLDecoder.decode(url, StandardCharsets.UTF_8)).endsWith("?x=" + ODD);
    }

    @ParameterizedTest
    @CsvSource({
        "https://login.example/a, https://login.example/a?x=1",
        "https://login.example/a?, https://login.example/a?x=1",
        "https://login.example/a?b=c, https://login.example/a?b=c&x=1",
        "https://login.example/a?b=c?, https://login.example/a?b=c?&x=1"
    })
    void fieldsComeBehindThoseOfTheUrl(String url, String appended) {
        assertThat(FormEncoding.appended(url, Map.of("x", "1"))).isEqualTo(appended);
    }

    @Test
    void whatWasWrittenIsReadAgain() {
        Map<String, String> fields = Map.of("scope", "read write", "odd", ODD, "empty", "");

        assertThat(FormEncoding.parse(FormEncoding.body(fields))).isEqualTo(fields);
        assertThat(FormEncoding.parse("a&&b=c=d&")).isEqualTo(Map.of("a", "", "b", "c=d"));
        assertThat(FormEncoding.parse("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1&a=1", "a=1&%61=2", "a&a", "a=%", "a=%zz", "%=1"})
    void aFieldMustBeWellFormedAndOccurOnce(String text) {
        assertThatThrownBy(() -> FormEncoding.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
