package dev.fairlead.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ParagraphTest {
    @Test
    void linesBreakAtBlanks() {
        assertThat(Paragraph.filled("The quick brown fox jumps over it", 10))
                .containsExactly("The quick", "brown fox", "jumps over", "it");
    }

    @Test
    void whatFitsExactlyStaysOnOneLine() {
        assertThat(Paragraph.filled("1234567890 ", 10)).containsExactly("1234567890");
    }

    @Test
    void longWordsAreBrokenWhereTheyMustBe() {
        assertThat(Paragraph.filled("a https://example.org/path b", 10))
                .containsExactly("a", "https://ex", "ample.org/", "path b");
    }

    @Test
    void longWordsStayWholeWhereTheyMayBeCopied() {
        assertThat(Paragraph.flowing("a https://example.org/path b", 10))
                .containsExactly("a", "https://example.org/path", "b");
    }

    @Test
    void lineBreaksAndIndentationStay() {
        assertThat(Paragraph.flowing("if x:\n    return x + 1\n\nend", 12))
                .containsExactly("if x:", "    return x", "+ 1", "", "end");
    }

    @Test
    void wideCharactersTakeTwoColumnsAndMayPart() {
        assertThat(Paragraph.filled("日本語日本語 ok", 5)).containsExactly("日本", "語日", "本語", "ok");
    }

    @Test
    void combiningCharactersTakeNoColumn() {
        assertThat(Paragraph.filled("e\u0301e\u0301e\u0301 x", 5))
                .containsExactly("e\u0301e\u0301e\u0301 x");
    }

    @Test
    void tabsReachTheNextEighthColumn() {
        assertThat(Paragraph.flowing("a\tb\t\tc\n\td", 80))
                .containsExactly("a       b               c", "        d");
    }

    @Test
    void nothingGivesNoLine() {
        assertThat(Paragraph.filled("", 10)).isEmpty();
    }
}
