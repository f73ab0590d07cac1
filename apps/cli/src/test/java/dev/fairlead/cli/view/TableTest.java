package dev.fairlead.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.view.Table.Column;

import org.junit.jupiter.api.Test;

import java.util.List;

class TableTest {
    private static final Column URI = Column.of("URI", Style.BOLD);
    private static final Column NOTE = Column.wrapping("NOTE", Style.PLAIN);
    private static final Column SIZE = Column.of("SIZE", Style.PLAIN);

    private final Table table = Table.of(URI, NOTE, SIZE);

    private List<String> at(int width) {
        return table.lines(new Screen(true, width, false, true));
    }

    private void fill() {
        table.row("file:///a", "A short note", "1 kB");
        table.row("file:///日本", "A note that takes more room than there is", "");
    }

    @Test
    void whatFitsIsOneLineEach() {
        fill();

        assertThat(at(80))
                .containsExactly(
                        "URI           NOTE                                       SIZE",
                        "file:///a     A short note                               1 kB",
                        "file:///日本  A note that takes more room than there is");
    }

    @Test
    void columnsThatWrapGetNarrower() {
        fill();

        assertThat(at(40))
                .containsExactly(
                        "URI           NOTE                  SIZE",
                        "file:///a     A short note          1 kB",
                        "file:///日本  A note that takes",
                        "              more room than there",
                        "              is");
    }

    @Test
    void whatDoesNotFitIsABlock() {
        fill();

        assertThat(at(30))
                .containsExactly(
                        "file:///a",
                        "  note A short note",
                        "  size 1 kB",
                        "file:///日本",
                        "  note A note that takes more",
                        "       room than there is");
    }

    @Test
    void emptyColumnsAreLeftOut() {
        table.row("file:///a", "", "1 kB");

        assertThat(at(80)).containsExactly("URI        SIZE", "file:///a  1 kB");
    }

    @Test
    void aPipeGetsEveryColumnBetweenTabs() {
        fill();

        assertThat(table.lines(Screen.plain()))
                .containsExactly(
                        "file:///a\tA short note\t1 kB",
                        "file:///日本\tA note that takes more room than there is\t");
    }

    @Test
    void stylesAreAroundCellsOnly() {
        table.row("a", "b", "");

        assertThat(table.lines(new Screen(true, 80, true, true)))
                .containsExactly("\u001b[2mURI  NOTE\u001b[0m", "\u001b[1ma\u001b[0m    b");
    }
}
