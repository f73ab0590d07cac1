package dev.fairlead.jdbc.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The database in use. Statements are written once, with words in braces where the two differ. */
public enum Dialect {
    /** One writer at a time, in this process: it needs no locks of rows. */
    SQLITE {
        @Override
        String translated(String sql) {
            return sql.replace("{now}", "?")
                    .replace("{for update}", "")
                    .replace("{skip locked}", "")
                    .replace("{by name for update}", "")
                    .replace("{for update of t skip locked}", "")
                    .replace("{in order for update}", "")
                    .replace("{texts}", "(select value from json_each(?))")
                    .replace("{numbers}", "(select value from json_each(?))")
                    .replace("{greatest}", "max");
        }
    },
    POSTGRES {
        @Override
        String translated(String sql) {
            return sql.replace("{now}", "(select coalesce(cast(? as bigint), " + CLOCK + "))")
                    .replace("{for update}", "for update")
                    .replace("{skip locked}", "for update skip locked")
                    .replace("{by name for update}", "order by name collate \"C\" for update")
                    .replace("{for update of t skip locked}", "for update of t skip locked")
                    .replace(
                            "{in order for update}",
                            "order by session collate \"C\", name collate \"C\" for update")
                    .replace(
                            "{texts}",
                            "(select value from jsonb_array_elements_text(cast(? as jsonb)))")
                    .replace(
                            "{numbers}",
                            "(select cast(value as bigint)"
                                    + " from jsonb_array_elements_text(cast(? as jsonb)))")
                    .replace("{greatest}", "greatest");
        }
    };

    private static final String CLOCK =
            "cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)";

    /** Statements are constants, so there are not many. */
    private final Map<String, String> known = new ConcurrentHashMap<>();

    /**
     * The statement in the form of this database. <code>{now}</code> is a parameter: the time in
     * milliseconds; null, on PostgreSQL, for the clock of the database. There it is read once, in a
     * query of its own: an index cannot be searched for a value that may change from row to row.
     */
    String sql(String statement) {
        return known.computeIfAbsent(statement, this::translated);
    }

    abstract String translated(String sql);
}
