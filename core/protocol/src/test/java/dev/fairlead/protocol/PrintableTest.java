package dev.fairlead.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
    @Test
    void ordinaryTextStaysAsItIs() {
        String text = "Füße\t日本語\nمرحبا 👩‍👩‍👧 नमस्ते";

        assertThat(Printable.text(text)).isSameAs(text);
    }

    @Test
    void escapeSequencesAreShown() {
        assertThat(Printable.text("a\u001b[2Jb\u001b]0;title\u0007"))
                .isEqualTo("a\\u001b[2Jb\\u001b]0;title\\u0007");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00,
                0x07,
                0x08,
                0x0B,
                0x1B,
                0x7F,
                0x85,
                0x9B, // control characters
                0x200E,
                0x202A,
                0x202E,
                0x2066,
                0x2069, // direction
                0x200B,
                0x2060,
                0xFEFF,
                0xAD, // invisible
                0x2028,
                0x2029, // line breaks of their own
                0xD83D, // half of a pair
                0xE0041, // tags
                0x034F,
                0x115F,
                0x3164,
                0xFFA0,
                0xFFF0,
                0xE0080 // drawn as nothing, although no characters of format
            })
    void whatSteersOrHidesIsShown(int character) {
        String shown = Printable.text("a" + Character.toString(character) + "b");

        assertThat(shown).matches("a(\\\\u[0-9a-f]{4}){1,2}b");
    }

    @ParameterizedTest
    @ValueSource(ints = {0xFE00, 0xFE0F, 0xE0100, 0x180B, 0x200C, 0x200D})
    void whatChangesNoCharacterIsShown(int character) {
        String hidden = Character.toString(character);

        assertThat(Printable.text(hidden)).startsWith("\\u");
        assertThat(Printable.text("a " + hidden)).startsWith("a \\u");
        assertThat(Printable.text("a" + hidden + hidden + "b")).startsWith("a" + hidden + "\\u");
    }

    @Test
    void signsOfWritingAndOfEmojiStay() {
        String text = "1️⃣ ❤️‍🔥 👩‍❤️‍👨 🏳️‍🌈 نمی‌خواهم 葛󠄀 ᠠ᠋";

        assertThat(Printable.text(text)).isSameAs(text);
    }

    @Test
    void windowsLineEndsAreLineEndsAndLoneCarriageReturnsAreShown() {
        assertThat(Printable.text("a\r\nb\rc")).isEqualTo("a\nb\\u000dc");
    }

    @Test
    void oneLineHasNoBreaksAndTabs() {
        assertThat(Printable.line(" a\r\nb\tc\n")).isEqualTo("a b c");
    }

    @Test
    void anExcerptIsOneLineAndCutBetweenCharacters() {
        assertThat(Printable.excerpt("a\nb")).isEqualTo("a b");
        assertThat(Printable.excerpt(null)).isEqualTo("null");
        assertThat(Printable.excerpt("x".repeat(1_000))).isEqualTo("x".repeat(1_000));
        assertThat(Printable.excerpt("x".repeat(1_002)))
                .isEqualTo("x".repeat(1_000) + " (2 more characters)");
        assertThat(Printable.excerpt("x".repeat(999) + "👧"))
                .isEqualTo("x".repeat(999) + " (2 more characters)");
    }
}
