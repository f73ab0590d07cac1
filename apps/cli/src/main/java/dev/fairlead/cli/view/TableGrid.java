package dev.fairlead.cli.view;

import dev.fairlead.cli.view.Table.Column;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The columns of a table side by side. */
final class TableGrid {
    private static final int GAP = 2;
    private static final int NARROWEST = 16; // no column that wraps is made narrower

    private final List<Column> columns;
    private final List<Integer> widths;
    private final Screen screen;

    private TableGrid(List<Column> columns, List<Integer> widths, Screen screen) {
        this.columns = columns;
        this.widths = widths;
        this.screen = screen;
    }

    /**
     * The columns in widths that fit the screen.
     *
     * @param natural the widths of the longest cells; 0 leaves a column out
     * @return empty if they do not fit
     */
    static Optional<TableGrid> fitting(List<Column> columns, List<Integer> natural, Screen screen) {
        List<Integer> widths = new ArrayList<>();
        for (int i = 0; i < natural.size(); i++) {
            boolean wraps = columns.get(i).wraps();
            widths.add(wraps ? Math.min(natural.get(i), screen.width()) : natural.get(i));
        }
        int shown = (int) widths.stream().filter(width -> width > 0).count();
        while (sum(widths) + GAP * (shown - 1) > screen.width()) {
            int widest = widestThatWraps(columns, widths);
            if (widest < 0) {
                return Optional.empty();
            }
            widths.set(widest, widths.get(widest) - 1);
        }
        return Optional.of(new TableGrid(columns, widths, screen));
    }

    private static int sum(List<Integer> widths) {
        return widths.stream().mapToInt(Integer::intValue).sum();
    }

    /** The widest column that may still get narrower; -1 if there is none. */
    private static int widestThatWraps(List<Column> columns, List<Integer> widths) {
        int widest = -1;
        for (int i = 0; i < widths.size(); i++) {
            boolean candidate = columns.get(i).wraps() && widths.get(i) > NARROWEST;
            if (candidate && (widest < 0 || widths.get(i) > widths.get(widest))) {
                widest = i;
            }
        }
        return widest;
    }

    /** The line above the rows. */
    String headings() {
        List<String> cells = columns.stream().map(Column::heading).toList();
        return screen.styled(Style.DIM, line(cells, false));
    }

    /** A row, as many lines as its longest cell takes. */
    List<String> row(List<String> row) {
        List<List<String>> cells = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            cells.add(widths.get(i) == 0 ? List.of() : Paragraph.filled(row.get(i), widths.get(i)));
        }
        int height = cells.stream().mapToInt(List::size).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (int line = 0; line < height; line++) {
            int at = line;
            lines.add(
                    line(
                            cells.stream()
                                    .map(cell -> at < cell.size() ? cell.get(at) : "")
                                    .toList(),
                            true));
        }
        return lines;
    }

    private String line(List<String> cells, boolean styled) {
        StringBuilder line = new StringBuilder();
        int missing = 0; // blanks to write before the next text
        for (int i = 0; i < cells.size(); i++) {
            if (widths.get(i) > 0) {
                String cell = cells.get(i);
                if (!cell.isEmpty()) {
                    Style style = styled ? columns.get(i).style(cell) : Style.PLAIN;
                    line.append(" ".repeat(missing)).append(screen.styled(style, cell));
                    missing = 0;
                }
                missing += widths.get(i) + GAP - Columns.of(cell);
            }
        }
        return line.toString();
    }
}
