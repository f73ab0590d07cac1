package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Dialect;
import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.engine.KeyedRateLimiter;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The values of one kind in a space of a database. Nodes add values one after the other, under a
 * lock of the kind, and remove those whose time is over with each; everything else is one
 * statement. All go by the clock of the database.
 */
class OwnedValueTable extends TableAccess implements OwnedValues {
    private static final String THESE = " from mcp_owned_value where space = ? and name = ?";

    private static final String FORGET = "delete" + THESE + " and ends <= {now}";

    private static final String COUNT = "select count(*) as held" + THESE;

    private static final String LARGEST =
            "select owner, count(*) as held"
                    + THESE
                    + " group by owner order by held desc, min(number) limit 1";

    private static final String REMOVE_NEWEST = remove("max");

    private static final String REMOVE_OLDEST = remove("min");

    private static final String OWNER = "select owner" + THESE + " and key = ?";

    private static final String REMOVE = "delete" + THESE + " and key = ?";

    private static final String ADD =
            "insert into mcp_owned_value (space, name, key, owner, value, ends)"
                    + " select ?, ?, ?, ?, ?, t.now + ? from (select {now} as now) t where true";

    private static final String FIND = "select value" + THESE + " and key = ? and ends > {now}";

    private static final String TAKE = REMOVE + " and ends > {now} returning value";

    private static final String REPLACE =
            "update mcp_owned_value set value = ? where space = ? and name = ? and key = ?"
                    + " and value = ? and ends > {now}";

    /** An owner that was refused so often within a second is refused without the database. */
    static final int REFUSALS = 10;

    private final String name;
    private final Share share;
    private final Duration kept;
    private final KeyedRateLimiter refusals;

    /**
     * @param nanos as of {@link System#nanoTime}
     */
    OwnedValueTable(
            Engine engine,
            String space,
            String name,
            Share share,
            Duration kept,
            LongSupplier nanos) {
        super(engine, space);
        this.name = name;
        this.share = share;
        this.kept = kept;
        this.refusals = new KeyedRateLimiter(REFUSALS, Duration.ofSeconds(1), REFUSALS, nanos);
    }

    private static String remove(String which) {
        return "delete from mcp_owned_value where number = (select "
                + which
                + "(number)"
                + THESE
                + " and owner = ?)";
    }

    /** An owner and the number of its values. */
    private record Holder(String owner, long held) {}

    @Override
    RuntimeException failed(SQLException e) {
        return new DatabaseException("The values of " + name + " failed: " + e.getMessage(), e);
    }

    /**
     * {@inheritDoc}
     *
     * @throws DatabaseException if the database fails
     */
    @Override
    public boolean put(String owner, int most, String key, byte[] value) {
        if (refusals.delay(owner).isPositive()) {
            return false;
        }
        boolean added = add(owner, most, key, value);
        if (!added) {
            refusals.take(owner);
        }
        return added;
    }

    private boolean add(String owner, int most, String key, byte[] value) {
        return adding(
                s -> {
                    long held = held(s, owner);
                    if (held >= most) {
                        return false;
                    }
                    if (isFull(s)) {
                        Holder largest = largest(s);
                        if (held + 1 >= largest.held) {
                            return false;
                        }
                        s.update(REMOVE_NEWEST, space(), name, largest.owner);
                    }
                    add(s, owner, key, value);
                    return true;
                });
    }

    @Override
    public void putForOldest(String owner, String key, byte[] value) {
        adding(
                s -> {
                    String belongsTo = belongsTo(s, owner, key);
                    s.update(REMOVE, space(), name, key);
                    if (held(s, belongsTo) >= share.ofOwner()) {
                        s.update(REMOVE_OLDEST, space(), name, belongsTo);
                    } else if (isFull(s)) {
                        s.update(REMOVE_OLDEST, space(), name, largest(s).owner);
                    }
                    add(s, belongsTo, key, value);
                    return true;
                });
    }

    /** A change that may add a value. */
    @FunctionalInterface
    private interface Addition {
        boolean in(SqlSession s) throws SQLException;
    }

    private boolean adding(Addition addition) {
        String lock = "values:" + space() + ':' + name;
        return call(
                () ->
                        engine().transactLockedAside(
                                        lock,
                                        s -> {
                                            if (engine().dialect() == Dialect.POSTGRES) {
                                                s.first(TaskTable.LOCK, row -> true, lock);
                                            }
                                            s.update(FORGET, space(), name, now());
                                            return addition.in(s);
                                        }));
    }

    /** Returns the owner of a key, where this one would have at least as many values. */
    private String belongsTo(SqlSession s, String owner, String key) throws SQLException {
        Optional<String> before = s.first(OWNER, row -> row.text("owner"), space(), name, key);
        return before.isPresent() && held(s, before.get()) <= held(s, owner) ? before.get() : owner;
    }

    private long held(SqlSession s, String owner) throws SQLException {
        return count(s, COUNT + " and owner = ?", space(), name, owner);
    }

    private boolean isFull(SqlSession s) throws SQLException {
        return count(s, COUNT, space(), name) >= share.inAll();
    }

    private static long count(SqlSession s, String sql, @Nullable Object... values)
            throws SQLException {
        return s.first(sql, row -> row.number("held"), values).orElseThrow();
    }

    private Holder largest(SqlSession s) throws SQLException {
        return s.first(
                        LARGEST,
                        row -> new Holder(row.text("owner"), row.number("held")),
                        space(),
                        name)
                .orElseThrow();
    }

    private void add(SqlSession s, String owner, String key, byte[] value) throws SQLException {
        s.update(ADD, space(), name, key, owner, value, kept.toMillis(), now());
    }

    @Override
    public Optional<byte[]> find(String key) {
        return first(FIND, row -> row.bytes("value"), space(), name, key, now());
    }

    @Override
    public Optional<byte[]> take(String key) {
        List<byte[]> taken =
                write(s -> s.list(TAKE, row -> row.bytes("value"), space(), name, key, now()));
        return taken.stream().findFirst();
    }

    @Override
    public boolean replace(String key, byte[] before, byte[] after) {
        return write(s -> s.update(REPLACE, after, space(), name, key, before, now())) > 0;
    }
}
