package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The contrast of texts in light and dark, as WCAG 2 asks for at level AA. */
class ContrastTest {
    private static final double LEAST = 4.5;

    @ParameterizedTest
    @CsvSource({
        "text, ground",
        "text, surface",
        "soft, ground",
        "soft, surface",
        "soft, sunken",
        "none, ground",
        "none, surface",
        "accent, ground",
        "on-accent, accent",
        "good, good-soft",
        "busy, busy-soft",
        "warn, warn-soft",
        "bad, bad-soft",
        "bad, surface",
        "surface, bad"
    })
    void textsCanBeRead(String text, String ground) throws Exception {
        for (int scheme = 1; scheme <= 2; scheme++) {
            assertThat(contrast(colour(text, scheme), colour(ground, scheme)))
                    .as("%s on %s, colours %s", text, ground, scheme)
                    .isGreaterThanOrEqualTo(LEAST);
        }
    }

    /** Returns a colour of the style sheet: 1 for light, 2 for dark. */
    private static int colour(String name, int scheme) throws Exception {
        try (InputStream in =
                Objects.requireNonNull(
                        Console.class.getResourceAsStream(
                                "/dev/fairlead/console/pages/console.css"))) {
            String style = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Matcher found =
                    Pattern.compile(
                                    "--"
                                            + name
                                            + ": light-dark\\(#([0-9a-f]{6}), #([0-9a-f]{6})\\)")
                            .matcher(style);
            assertThat(found.find()).as(name).isTrue();
            return Integer.parseInt(found.group(scheme), 16);
        }
    }

    private static double contrast(int one, int other) {
        double light = Math.max(luminance(one), luminance(other));
        double dark = Math.min(luminance(one), luminance(other));
        return (light + 0.05) / (dark + 0.05);
    }

    private static double luminance(int colour) {
        return 0.2126 * part(colour >> 16)
                + 0.7152 * part(colour >> 8 & 0xff)
                + 0.0722 * part(colour & 0xff);
    }

    private static double part(int value) {
        double share = value / 255.0;
        return share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
}
