package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.protocol.OneTimeValues;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The one-time values in a space of a database. Each use is a transaction of its own; now and then
 * one forgets the values whose time is over, by the clock of the database.
 */
class OneTimeTable extends TableAccess implements OneTimeValues {
    /** After so many uses the expired values are forgotten. */
    private static final int SWEPT_AFTER = 1_000;

    private static final String USE =
            "insert into mcp_one_time (space, value, ends) select ?, ?, t.now + ?"
                    + " from (select {now} as now) t where true on conflict do nothing";

    private static final String FORGET =
            "delete from mcp_one_time where space = ? and ends < {now}";

    private final AtomicLong uses = new AtomicLong();

    OneTimeTable(Engine engine, String space) {
        super(engine, space);
    }

    @Override
    RuntimeException failed(SQLException e) {
        return new DatabaseException("The one-time values failed: " + e.getMessage(), e);
    }

    /**
     * {@inheritDoc}
     *
     * @throws DatabaseException if the database fails
     */
    @Override
    public boolean use(String value, Duration kept) {
        if (uses.getAndIncrement() % SWEPT_AFTER == 0) {
            write(s -> s.update(FORGET, space(), now()));
        }
        return write(s -> s.update(USE, space(), Texts.encode(value), kept.toMillis(), now())) > 0;
    }
}
