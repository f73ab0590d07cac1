package dev.fairlead.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of text; the first column is to the left, the others to the right. */
public final class Table {
    private final String title;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String title, String... columns) {
        this.title = title;
        rows.add(List.of(columns));
    }

    public void row(String... cells) {
        rows.add(List.of(cells));
    }

    public void print(PrintStream out) {
        out.println();
        out.println(title);
        int columns = rows.getFirst().size();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                int width = width(column);
                String form = column == 0 ? "%-" + width + "s" : "  %" + width + "s";
                line.append(form.formatted(row.get(column)));
            }
            out.println(line.toString().stripTrailing());
        }
        out.flush();
    }

    private int width(int column) {
        int widest = rows.stream().mapToInt(row -> row.get(column).length()).max().orElseThrow();
        return Math.max(1, widest); // formats know no width of 0
    }

    /** A figure with as many digits as mean something. */
    public static String number(double value) {
        if (Math.abs(value) >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, Math.abs(value) >= 10 ? "%.1f" : "%.2f", value);
    }
}
