package dev.fairlead.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

class SchemaTest {
    static final String NEWER =
            "insert into mcp_migration (id, mtype, mstatus, mversion, mcomment, mchecksum, run_on,"
                    + " run_by, run_time) select 99, mtype, mstatus, '99', 'future', 0, run_on,"
                    + " run_by, run_time from mcp_migration where mversion = '1'";

    @TempDir Path folder;

    @Test
    void aNewerSchemaOfSqliteIsRefused() throws Exception {
        Path file = folder.resolve("tasks.db");
        Database.sqlite(file).close();
        execute("jdbc:sqlite:" + file, NEWER);

        assertThatThrownBy(() -> Database.sqlite(file))
                .isInstanceOf(DatabaseException.class)
                .hasMessage(
                        "the schema of the database is version 99, but this program supports at"
                                + " most version "
                                + Schema.VERSION
                                + "; use the newer program that opened it before");
    }

    @Test
    void theVersionIsThatOfTheLastScript() throws Exception {
        try (Stream<Path> scripts = Files.list(scripts())) {
            assertThat(scripts.map(script -> script.getFileName().toString()))
                    .hasSize(Schema.VERSION)
                    .anyMatch(name -> name.startsWith("V" + Schema.VERSION + "__"));
        }
    }

    static final String[] BACK_TO_3 = {
        "drop index mcp_stream_ended",
        "drop index mcp_stream_idle",
        "alter table mcp_stream drop column emptied",
        "drop table mcp_limit_check",
        "drop index mcp_event_oldest",
        "create index mcp_event_created on mcp_event (space, created)",
        "alter table mcp_stream drop column server",
        "drop table mcp_server",
        "drop index mcp_session_node",
        "alter table mcp_session drop column node",
        "alter table mcp_stream drop column node",
        "alter table mcp_node drop column address",
        "alter table mcp_node drop column draining",
        "delete from mcp_migration where mversion in ('4', '5', '6')",
        "insert into mcp_stream (space, session, name, requests, last, gone, events, bytes, ended,"
                + " used) values ('a', 's', 'full', '[]', 1, 0, 1, 1, false, 7),"
                + " ('a', 's', 'empty', '[]', 1, 1, 0, 0, false, 8),"
                + " ('b', 't', 'full', '[]', 1, 0, 1, 1, true, 9)"
    };

    static void assertCarriedOver(Engine engine) throws SQLException {
        List<String> emptied =
                engine.read(
                        s ->
                                s.list(
                                        "select name, emptied from mcp_stream"
                                                + " where emptied is not null",
                                        row -> row.text("name") + row.number("emptied")));
        List<String> checks =
                engine.read(
                        s ->
                                s.list(
                                        "select space, session from mcp_limit_check order by space",
                                        row -> row.text("space") + row.text("session")));
        assertThat(emptied).containsExactly("empty8");
        assertThat(checks).containsExactly("a", "b");
    }

    @Test
    void streamsOfAnOlderSqliteAreCarriedOver() throws Exception {
        Path file = folder.resolve("events.db");
        Database.sqlite(file).close();
        run("jdbc:sqlite:" + file, BACK_TO_3);

        try (Engine engine = SqliteEngine.open(file, 10)) {
            assertCarriedOver(engine);
        }
    }

    static void run(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static Path scripts() throws URISyntaxException {
        return Path.of(
                        Objects.requireNonNull(
                                        Schema.class.getResource("/fairlead-schema/V1__tasks.sql"))
                                .toURI())
                .getParent();
    }

    static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isOne();
        }
    }
}
