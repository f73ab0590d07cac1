package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Dialect;
import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.RowReader;
import dev.fairlead.jdbc.engine.SqlCall;
import dev.fairlead.jdbc.engine.Work;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How the tables of one store reach their database: its clock, its space, and the one place where
 * failures of the database become those of the store.
 */
abstract class TableAccess {
    private final Engine engine;
    private final String space;

    TableAccess(Engine engine, String space) {
        this.engine = engine;
        this.space = space;
    }

    /** The exception of the store for a failure of the database. */
    abstract RuntimeException failed(SQLException e);

    Engine engine() {
        return engine;
    }

    String space() {
        return space;
    }

    /** The time now in milliseconds; null for the clock of a database that is shared. */
    @Nullable Long millis() {
        return databaseMillis();
    }

    private @Nullable Long databaseMillis() {
        return engine.dialect() == Dialect.POSTGRES ? null : System.currentTimeMillis();
    }

    /** The value of statements for the time by which nodes live and die. */
    final Supplier<@Nullable Long> databaseNow() {
        return this::databaseMillis;
    }

    /** Reports that the clock of the database shows this time, in milliseconds. */
    void databaseTimeIs(long millis) {}

    /** The value of statements for the time at which they run. */
    final Supplier<@Nullable Long> now() {
        return this::millis;
    }

    /** Runs a query by itself, see {@link dev.fairlead.jdbc.engine.SqlSession#first}. */
    <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... values) {
        return read(s -> s.first(sql, reader, values));
    }

    /** Runs a query by itself, see {@link dev.fairlead.jdbc.engine.SqlSession#list}. */
    <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... values) {
        return read(s -> s.list(sql, reader, values));
    }

    /** Runs one statement, see {@link Engine#write(String, Work)}; how many rows it changed. */
    int update(String key, String sql, @Nullable Object... values) {
        return write(key, s -> s.update(sql, values));
    }

    <T extends @Nullable Object> T read(Work<T> work) {
        return call(() -> engine.read(work));
    }

    <T extends @Nullable Object> T write(Work<T> statement) {
        return call(() -> engine.write(statement));
    }

    /** Runs a statement as {@link Engine#write(String, Work)}. */
    <T extends @Nullable Object> T write(String key, Work<T> statement) {
        return call(() -> engine.write(key, statement));
    }

    <T extends @Nullable Object> T transact(Work<T> statements) {
        return call(() -> engine.transact(statements));
    }

    /** Makes a call of the database. */
    <T extends @Nullable Object> T call(SqlCall<T> call) {
        try {
            return call.make();
        } catch (SQLException e) {
            throw failed(e);
        }
    }
}
