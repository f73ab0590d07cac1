package dev.fairlead.cli.view;

import dev.fairlead.cli.view.Table.Column;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Logins as people see them. */
public final class LoginList {
    private LoginList() {}

    /**
     * A login.
     *
     * @param scopes with spaces between them; may be empty
     * @param expires when its token ends; null where that is unknown
     * @param isRenewable whether it continues after that
     */
    public record Row(
            String server,
            String issuer,
            String client,
            String scopes,
            @Nullable Instant expires,
            boolean isRenewable) {}

    /**
     * Columns: server, issuer, client, scopes, end of the token (on a terminal as people read it)
     * and whether it is renewed then.
     */
    public static List<String> lines(List<Row> rows, Instant now, Screen screen) {
        Table table =
                Table.of(
                        Column.of("SERVER", Style.BOLD),
                        Column.wrapping("ISSUER", Style.PLAIN),
                        Column.wrapping("CLIENT", Style.PLAIN),
                        Column.wrapping("SCOPES", Style.PLAIN),
                        Column.of("TOKEN ENDS", Style.PLAIN),
                        Column.of("RENEWED", Style.PLAIN));
        for (Row row : rows) {
            table.row(
                    Printable.line(row.server()),
                    Printable.line(row.issuer()),
                    Printable.line(row.client()),
                    Printable.line(row.scopes()),
                    end(row.expires(), now, screen),
                    row.isRenewable() ? "yes" : "no");
        }
        return rows.isEmpty() ? Names.none("logins", screen) : table.lines(screen);
    }

    private static String end(@Nullable Instant expires, Instant now, Screen screen) {
        if (expires == null) {
            return "";
        }
        if (!screen.terminal()) {
            return expires.toString();
        }
        return expires.isAfter(now)
                ? "in " + Ages.of(Duration.between(now, expires))
                : Ages.of(Duration.between(expires, now)) + " ago";
    }
}
