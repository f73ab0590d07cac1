package dev.fairlead.examples;

// @start region="sqlite"
import dev.fairlead.json.Doc;
import dev.fairlead.json.Size;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;

import org.jspecify.annotations.Nullable;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.Pragma;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lets a model read the schema of an SQLite file and query it with SQL, and change nothing. */
record Sqlite(Path file) {
    static final int MAX_ROWS = 1_000;
    static final int MAX_CHARACTERS = 1_000_000;
    static final long MAX_SORTED = 256L << 20; // bytes on the disk, of all queries together
    private static final File TEMPORARY = new File(System.getProperty("java.io.tmpdir"));

    record Query(
            @Doc("One SELECT (or VALUES, or WITH … SELECT)") @Size(min = 1, max = 10_000)
                    String sql) {}

    record Rows(
            List<Map<String, @Nullable Object>> rows,
            int rowCount,
            @Doc("True if there are more rows than are given here") @Nullable Boolean truncated) {}

    static McpServer.Builder server(Path file, Duration timeout) {
        Sqlite database = new Sqlite(file);
        return McpServer.named("sqlite", "1.0.0")
                .instructions("Read schema://main before the first query.")
                .resource("schema://main", "schema", String.class)
                .description("The statements that created the tables, views, indexes and triggers")
                .mimeType("application/sql")
                .handle((request, call) -> database.schema(call))
                .tool("query", "Runs one read-only SQL query", Query.class, Rows.class)
                .readOnly()
                .closedWorld()
                .blocking() // SQLite is native code
                .timeout(timeout)
                .handle(database::query);
    }

    private String schema(Call call) throws SQLException {
        String sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid";
        try (Connection connection = open(call);
                ResultSet result = connection.createStatement().executeQuery(sql)) {
            StringBuilder schema = new StringBuilder();
            while (result.next()) {
                schema.append(result.getString(1)).append(";\n");
            }
            return schema.toString();
        }
    }

    private Rows query(Query query, Call call) {
        // in parentheses, PRAGMA, ATTACH and a second statement are syntax errors
        String sql = "SELECT * FROM (\n" + query.sql().strip().replaceFirst(";$", "") + "\n)";
        try (Connection connection = open(call);
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet result = statement.executeQuery()) {
            return rows(result);
        } catch (SQLException e) {
            String stopped = "the query sorts too much: more than 256 MiB";
            String reason = ("" + e.getMessage()).replaceFirst("^\\[SQLITE_INTERRUPT].*", stopped);
            throw new ToolFailedException(
                    call.isCancelled() ? "the query took too long" : reason, e);
        }
    }

    /** Opens a connection for each call, so that none finds settings of another. */
    private Connection open(Call call) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setPragma(Pragma.LIMIT_ATTACHED, "0"); // no other file
        config.setPragma(Pragma.LIMIT_LENGTH, "250000"); // no value or row larger than that
        Connection connection = config.createConnection("jdbc:sqlite:" + file.toAbsolutePath());
        connection.createStatement().execute("PRAGMA temp_store_directory = '" + TEMPORARY + "'");
        long free = TEMPORARY.getUsableSpace();
        ProgressHandler.setHandler(
                connection,
                1_000,
                new ProgressHandler() {
                    @Override
                    protected int progress() {
                        boolean full = TEMPORARY.getUsableSpace() < free - MAX_SORTED;
                        return full || call.isCancelled() ? 1 : 0; // by the client, or out of time
                    }
                });
        return connection;
    }

    private static Rows rows(ResultSet result) throws SQLException {
        ResultSetMetaData columns = result.getMetaData();
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        int room = MAX_CHARACTERS;
        while (result.next()) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            for (int i = 1; i <= columns.getColumnCount() && room >= 0; i++) {
                Object value = json(result.getObject(i));
                row.put(columns.getColumnLabel(i), value);
                room -= String.valueOf(value).length();
            }
            if (rows.size() == MAX_ROWS || room < 0) {
                return new Rows(rows, rows.size(), true);
            }
            rows.add(row);
        }
        return new Rows(rows, rows.size(), null);
    }

    /** Converts a value without a JSON form to a text. */
    private static @Nullable Object json(@Nullable Object value) {
        return switch (value) {
            case byte[] blob -> HexFormat.of().formatHex(blob);
            case Double number when number.isInfinite() -> number.toString();
            case null, default -> value;
        };
    }

    public static void main(String[] args) {
        if (args.length == 0 || !Files.isRegularFile(Path.of(args[0]))) {
            throw new UsageException("the first argument names an SQLite file");
        }
        server(Path.of(args[0]), Duration.ofSeconds(10))
                .build()
                .serve(Place.of(Arrays.copyOfRange(args, 1, args.length)));
    }
}
// @end
