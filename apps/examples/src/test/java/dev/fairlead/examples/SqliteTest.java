package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

class SqliteTest {
    @TempDir Path folder;
    private Path file;
    private McpServer server;
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        file = books(folder);
        serve(Duration.ofMinutes(2));
    }

    /** Makes a file with a table of two books. */
    static Path books(Path folder) throws SQLException {
        Path file = folder.resolve("books.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE book (title TEXT, year INTEGER, cover BLOB)");
            statement.executeUpdate(
                    "INSERT INTO book VALUES ('Emma', 1815, x'0aff'), ('Ulysses', 1922, NULL)");
        }
        return file;
    }

    private void serve(Duration timeout) throws InterruptedException {
        server = Sqlite.server(file, timeout).build();
        client = McpClient.connect(server.inProcess());
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private CallToolResult query(String sql) throws InterruptedException {
        return client.callTool("query", JsonObject.of("sql", sql));
    }

    private JsonObject rows(String sql) throws InterruptedException {
        CallToolResult result = query(sql);
        assertThat(result.isError()).as(result.text()).isFalse();
        return (JsonObject) Objects.requireNonNull(result.structuredContent());
    }

    @Test
    void theSchemaIsAResource() throws Exception {
        assertThat(client.readResource("schema://main").text())
                .isEqualTo("CREATE TABLE book (title TEXT, year INTEGER, cover BLOB);\n");
    }

    @ParameterizedTest
    @EnumSource(
            value = Revision.class,
            names = {"V2025_11_25", "V2026_07_28"})
    void eachEraIsServed(Revision revision) throws Exception {
        try (McpClient other =
                McpClient.named("test", "1")
                        .revisions(revision, revision)
                        .connect(server.inProcess())) {
            assertThat(
                            other.callTool(
                                            "query",
                                            JsonObject.of("sql", "SELECT count(*) n FROM book"))
                                    .structuredContent())
                    .isEqualTo(JsonValue.parse("{\"rows\": [{\"n\": 2}], \"rowCount\": 1}"));
            assertThat(other.readResource("schema://main").text()).startsWith("CREATE TABLE book");
        }
    }

    @Test
    void aQueryGivesRowsByColumn() throws Exception {
        assertThat(rows("SELECT title, year, cover FROM book ORDER BY year; "))
                .isEqualTo(
                        JsonObject.of(
                                "rows",
                                JsonArray.of(
                                        JsonObject.of(
                                                "title", "Emma", "year", 1815, "cover", "0aff"),
                                        JsonObject.of(
                                                "title", "Ulysses", "year", 1922, "cover", null)),
                                "rowCount",
                                2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT count(*) FROM book -- how many",
                "VALUES (1), (2)",
                "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT * FROM"
                        + " n",
                "SELECT 1 AS a, 2 AS a",
                "SELECT 9e999",
                "SELECT * FROM pragma_table_info('book')",
            })
    void whatReadsIsRun(String sql) throws Exception {
        assertThat(rows(sql).integer("rowCount")).isPositive();
    }

    @Test
    void anErrorOfSqlIsAFailureThatTheModelReads() throws Exception {
        CallToolResult result = query("SELECT titel FROM book");

        assertThat(result.isError()).isTrue();
        assertThat(result.text()).contains("no such column: titel");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO book VALUES ('Dracula', 1897, NULL)",
                "DELETE FROM book RETURNING *",
                "DROP TABLE book",
                "CREATE TEMP TABLE t (i)",
                "SELECT 1; DROP TABLE book",
                "SELECT 1); DROP TABLE book; --",
                "ATTACH 'FOLDER/other.db' AS other",
                "ATTACH ':memory:' AS other",
                "VACUUM INTO 'FOLDER/copy.db'",
                "PRAGMA query_only = 0",
                "PRAGMA user_version = 7",
                "PRAGMA journal_mode = WAL",
                "PRAGMA writable_schema = 1",
                "PRAGMA hard_heap_limit = 1",
                "SELECT * FROM pragma_user_version(7)",
                "SELECT load_extension('libm.so.6')",
                "SELECT writefile('FOLDER/copy.db', 'x')",
                "SELECT readfile('/etc/hostname')",
                "backup to 'FOLDER/copy.db'",
                "backup main to 'FOLDER/copy.db'",
                "restore from 'FOLDER/copy.db'",
                "SELECT zeroblob(1000000000)",
                "",
                " ",
                "\u0000",
            })
    void attacksLeaveEverythingAsItWas(String sql) throws Exception {
        byte[] before = Files.readAllBytes(file);

        CallToolResult result = query(sql.replace("FOLDER", folder.toString()));

        // Of two statements behind a parenthesis the first one is run, and no other.
        assertThat(result.isError() || sql.startsWith("SELECT 1)")).as(result.text()).isTrue();
        assertThat(result.text()).doesNotContain("Internal error");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
        assertThat(rows("SELECT * FROM book").integer("rowCount")).isEqualTo(2);
    }

    private static final String ENDLESS =
            "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) ";

    @ParameterizedTest
    @ValueSource(
            strings = {
                ENDLESS + "SELECT count(*) FROM n",
                ENDLESS + "SELECT i FROM n ORDER BY -i",
                ENDLESS + "SELECT group_concat('x') FROM n WHERE i < 0",
            })
    void anEndlessQueryEndsInTime(String sql) throws Exception {
        close();
        serve(Duration.ofMillis(500));

        CallToolResult result = query(sql);

        assertThat(result.isError()).isTrue();
        assertThat(result.text()).isEqualTo("the query took too long");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT hex(zeroblob(120000)) LIKE '%0%0%0%0%0%0%0%0%0%1'",
                "SELECT instr(zeroblob(240000), zeroblob(120000) || x'01')",
                "WITH a AS (SELECT 1), b AS (SELECT 1 FROM a, a x, a y), c AS (SELECT 1 FROM b, b"
                    + " x, b y), d AS (SELECT 1 FROM c, c x, c y), e AS (SELECT 1 FROM d, d x, d"
                    + " y), f AS (SELECT 1 FROM e, e x, e y) SELECT 1 FROM f, f x, f y",
            })
    @Timeout(120)
    void aSingleStepTakesNotLongEither(String sql) throws Exception {
        assertThat(query(sql).text()).doesNotContain("Internal error");
    }

    @Test
    void tooManyRowsAreCutOff() throws Exception {
        JsonObject result = rows(ENDLESS + "SELECT i FROM n");

        assertThat(result.integer("rowCount")).isEqualTo(Sqlite.MAX_ROWS);
        assertThat(result.bool("truncated")).isTrue();
    }

    @Test
    void rowsThatAreTooLargeAreCutOff() throws Exception {
        JsonObject result = rows(ENDLESS + "SELECT hex(zeroblob(50000)) AS zeros FROM n");

        assertThat(result.integer("rowCount")).isEqualTo(Sqlite.MAX_CHARACTERS / 100_000);
        assertThat(result.bool("truncated")).isTrue();
    }

    @Test
    void aSortThatWouldFillTheDiskIsStopped() throws Exception {
        CallToolResult result =
                client.callTool(
                        "query",
                        JsonObject.of(
                                "sql",
                                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                                        + " WHERE i < 1000000) SELECT i, randomblob(50000) b FROM n"
                                        + " ORDER BY b"));

        assertThat(result.isError()).isTrue();
        assertThat(result.text()).isEqualTo("the query sorts too much: more than 256 MiB");
    }
}
