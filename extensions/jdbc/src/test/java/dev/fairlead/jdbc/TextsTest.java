package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

class TextsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain, ü, 日本, \uD83D\uDE00",
                "nul \0",
                "\\",
                "\\0000",
                "\\\\ud83d",
                "\uD83D",
                "\uDE00\uD83D",
                "end \uD83D",
                "\uDE00 start"
            })
    void everyTextComesBack(String text) {
        String encoded = Texts.encode(text);

        assertThat(Texts.decode(encoded)).isEqualTo(text);
        assertThat(encoded).doesNotContain("\0");
        byte[] stored = encoded.getBytes(StandardCharsets.UTF_8);
        assertThat(new String(stored, StandardCharsets.UTF_8)).isEqualTo(encoded);
    }

    @Test
    void whatNeedsNoCodeStandsAsItIs() {
        assertThat(Texts.encode("nightly report — 日本 \uD83D\uDE00\n"))
                .isEqualTo("nightly report — 日本 \uD83D\uDE00\n");
    }

    @Test
    void longKeysAreShortAndDifferent() {
        String one = "k".repeat(5_000) + 1;
        String other = "k".repeat(5_000) + 2;

        assertThat(Texts.key(one)).hasSizeLessThan(100).isNotEqualTo(Texts.key(other));
        assertThat(Texts.key(Texts.key(one))).isNotEqualTo(Texts.key(one));
        assertThat(Texts.key("short")).isEqualTo("short");
    }
}
