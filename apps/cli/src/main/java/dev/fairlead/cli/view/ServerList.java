package dev.fairlead.cli.view;

import dev.fairlead.cli.view.Table.Column;
import dev.fairlead.protocol.Printable;

import java.util.List;

/** The servers of a servers file as people see them. */
public final class ServerList {
    private ServerList() {}

    /**
     * A server.
     *
     * @param name in the file
     * @param transport how it is reached; empty where its definition is broken
     * @param target the command or the URL; empty where its definition is broken
     * @param state its known state, such as its answer; may be empty
     */
    public record Row(String name, String transport, String target, String state) {}

    /** Columns: name, transport, target, state. */
    public static List<String> lines(List<Row> rows, Screen screen) {
        Table table =
                Table.of(
                        Column.of("NAME", Style.BOLD),
                        Column.of("TRANSPORT", Style.PLAIN),
                        Column.wrapping("TARGET", Style.PLAIN),
                        Column.wrapping("STATE", Style.PLAIN));
        for (Row row : rows) {
            table.row(
                    Printable.line(row.name()),
                    row.transport(),
                    Printable.line(row.target()),
                    Printable.line(row.state()));
        }
        return rows.isEmpty() ? Names.none("servers", screen) : table.lines(screen);
    }
}
