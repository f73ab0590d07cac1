package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RepeatedTextsTest {
    private final RepeatedTexts<String> lately = new RepeatedTexts<>();

    private static RawJson text(int length) {
        return RawJson.parse("\"" + "x".repeat(length - 2) + "\"");
    }

    @Test
    void textsAreKeptUpToABound() {
        lately.keep(text(RepeatedTexts.LONGEST), "kept");
        assertThat(lately.find(text(RepeatedTexts.LONGEST))).isEqualTo("kept");
        lately.keep(text(RepeatedTexts.LONGEST + 1), "too long");
        assertThat(lately.find(text(RepeatedTexts.LONGEST + 1))).isNull();
    }

    @Test
    void whatIsKeptKeepsNoMessage() {
        RawJson message = RawJson.parse("{\"meta\":{\"a\":1},\"rest\":2}");
        RawJson meta = message.member("meta");
        assertThat(meta).isNotNull();
        lately.keep(meta, "meta");
        assertThat(lately.find(RawJson.parse("{\"a\":1}"))).isEqualTo("meta");
        assertThat(lately.find(RawJson.parse("{\"a\": 1}"))).isNull();
    }

    @Test
    void manyTextsReplaceEachOther() {
        int found = 0;
        for (int i = 0; i < 1_000; i++) {
            lately.keep(RawJson.parse("{\"n\":" + i + "}"), "value " + i);
        }
        for (int i = 0; i < 1_000; i++) {
            String value = lately.find(RawJson.parse("{\"n\":" + i + "}"));
            if (value != null) {
                assertThat(value).isEqualTo("value " + i);
                found++;
            }
        }
        assertThat(found).isBetween(1, 64);
    }
}
