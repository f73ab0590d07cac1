package dev.fairlead.cli.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Rows under headings. On a terminal, columns without any text are left out, and those that wrap
 * get narrower until all fit; where that is not enough, each row becomes a block with one line for
 * each column. Elsewhere each row is one line, all its columns separated by tabs.
 *
 * <p>For use by one thread. Cells must be {@link Printable} and on one line.
 */
final class Table {
    private final boolean hasHeadings;
    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * A column.
     *
     * @param wraps whether its cells may take several lines; other cells stay whole, so that they
     *     can be copied
     * @param styles the style of each cell
     */
    record Column(String heading, boolean wraps, Function<String, Style> styles) {
        /** A column whose cells stay whole. */
        static Column of(String heading, Style style) {
            return of(heading, cell -> style);
        }

        /** A column whose cells stay whole, and stand out each in its way. */
        static Column of(String heading, Function<String, Style> styles) {
            return new Column(heading, false, styles);
        }

        /** A column whose cells may take several lines. */
        static Column wrapping(String heading, Style style) {
            return new Column(heading, true, cell -> style);
        }

        Style style(String cell) {
            return styles.apply(cell);
        }
    }

    private Table(boolean hasHeadings, Column... columns) {
        this.hasHeadings = hasHeadings;
        this.columns = List.of(columns);
    }

    static Table of(Column... columns) {
        return new Table(true, columns);
    }

    static Table withoutHeadings(Column... columns) {
        return new Table(false, columns);
    }

    /** Adds a row with a cell for each column. */
    void row(String... cells) {
        rows.add(List.of(cells));
    }

    List<String> lines(Screen screen) {
        if (!screen.terminal()) {
            return rows.stream().map(row -> String.join("\t", row)).toList();
        }
        Optional<TableGrid> grid = TableGrid.fitting(columns, naturalWidths(), screen);
        return grid.isPresent() ? inGrid(grid.get()) : inBlocks(screen);
    }

    private List<Integer> naturalWidths() {
        List<Integer> widths = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            int cells = rows.stream().mapToInt(row -> Columns.of(row.get(column))).max().orElse(0);
            int heading = hasHeadings ? Columns.of(columns.get(i).heading()) : 0;
            widths.add(cells == 0 ? 0 : Math.max(cells, heading));
        }
        return widths;
    }

    private List<String> inGrid(TableGrid grid) {
        List<String> lines = new ArrayList<>();
        if (hasHeadings) {
            lines.add(grid.headings());
        }
        rows.forEach(row -> lines.addAll(grid.row(row)));
        return lines;
    }

    /** Each row by itself: its first column, and below it the others. */
    private List<String> inBlocks(Screen screen) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            lines.add(screen.styled(columns.get(0).style(row.get(0)), row.get(0)));
            for (int i = 1; i < row.size(); i++) {
                if (!row.get(i).isEmpty()) {
                    lines.addAll(member(columns.get(i), row.get(i), screen));
                }
            }
        }
        return lines;
    }

    private List<String> member(Column column, String cell, Screen screen) {
        int labels = 0;
        if (hasHeadings) {
            labels = columns.stream().mapToInt(c -> Columns.of(c.heading()) + 1).max().orElse(0);
        }
        String label = hasHeadings ? column.heading().toLowerCase(Locale.ROOT) : "";
        List<String> lines = new ArrayList<>();
        for (String line : Paragraph.flowing(cell, screen.width() - labels - 2)) {
            String before = Columns.pad(lines.isEmpty() ? label : "", labels);
            lines.add(
                    "  "
                            + screen.styled(Style.DIM, before)
                            + screen.styled(column.style(cell), line));
        }
        return lines;
    }
}
