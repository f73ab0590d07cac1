package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Engine;
import dev.fairlead.jdbc.engine.Row;
import dev.fairlead.protocol.StateKeySource;
import dev.fairlead.protocol.platform.RandomBytes;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The keys of request states in a space of a database. The first node makes the first key. A node
 * that finds the newest key older than {@link #PERIOD} adds one, which opens at once and seals
 * after {@link #LEAD}, when all nodes have read it. The key before opens for another period and the
 * validity of a state, and is then deleted. Of several nodes that add a key at the same time, one
 * succeeds; all go by the clock of the database.
 */
class StateKeyTable extends TableAccess implements StateKeySource {
    /** How long a key seals. */
    static final Duration PERIOD = Duration.ofDays(1);

    /** How long a key opens before it seals; nodes read the keys more often. */
    static final Duration LEAD = Duration.ofMinutes(1);

    private static final Logger LOG = System.getLogger(StateKeyTable.class.getName());
    private static final int BYTES = 32;
    private static final String PLAIN = "plain.";
    private static final String WRAPPED = "v1.";

    /** The newest first. */
    private static final String READ =
            "select number, {now} - created as age, secret from mcp_state_key where space = ?"
                    + " order by number desc";

    private static final String ADD =
            "insert into mcp_state_key (space, number, created, secret)"
                    + " select ?, ?, t.now, ? from (select {now} as now) t where true"
                    + " on conflict do nothing";

    private static final String DELETE =
            "delete from mcp_state_key where space = ? and number <= ?";

    private final @Nullable WrappingKey wrapping;

    StateKeyTable(Engine engine, String space, @Nullable WrappingKey wrapping) {
        super(engine, space);
        this.wrapping = wrapping;
    }

    /**
     * A row.
     *
     * @param age in milliseconds
     */
    private record Stored(long number, long age, String secret) {
        static Stored of(Row row) throws SQLException {
            return new Stored(row.number("number"), row.number("age"), row.text("secret"));
        }
    }

    /**
     * A key that this node can read.
     *
     * @param age in milliseconds
     */
    private record Key(long number, long age, byte[] secret) {}

    @Override
    RuntimeException failed(SQLException e) {
        return new DatabaseException("The keys of request states failed: " + e.getMessage(), e);
    }

    /**
     * {@inheritDoc}
     *
     * @throws DatabaseException if the database fails, or contains keys that are wrapped by another
     *     key than the given one
     */
    @Override
    public List<byte[]> read(Duration ttl) {
        List<Stored> rows = rows();
        List<Key> keys = keys(rows);
        if (keys.isEmpty() || keys.getFirst().age() >= PERIOD.toMillis()) {
            add(rows.isEmpty() ? 1 : rows.getFirst().number() + 1);
            keys = keys(rows()); // perhaps that of another node
        }
        return inOrder(keys, ttl);
    }

    private List<Stored> rows() {
        return list(READ, Stored::of, now(), space());
    }

    private void add(long number) {
        byte[] key = RandomBytes.of(BYTES);
        String secret =
                wrapping == null
                        ? PLAIN + Base64.getEncoder().encodeToString(key)
                        : WRAPPED + wrapping.wrap(key, place(number));
        if (write(s -> s.update(ADD, space(), number, secret, now())) > 0) {
            LOG.log(
                    Level.INFO,
                    "Added key {0} of request states in space {1}",
                    Long.toString(number),
                    space());
        }
    }

    /**
     * Returns the keys that this node can use. One that lies open is left out where keys are
     * wrapped: everything that writes to the database could have put it there.
     */
    private List<Key> keys(List<Stored> rows) {
        List<Key> keys = new ArrayList<>();
        for (Stored row : rows) {
            boolean plain = row.secret().startsWith(PLAIN);
            if (wrapping == null && !plain) {
                throw new DatabaseException(
                        "The keys of request states in the database are wrapped; set"
                                + " DatabaseOptions.withWrappingKey");
            }
            if (wrapping == null) {
                keys.add(key(row, decoded(row.secret().substring(PLAIN.length()))));
            } else if (!plain) {
                keys.add(key(row, unwrapped(wrapping, row)));
            }
        }
        return keys;
    }

    private Key key(Stored row, Optional<byte[]> secret) {
        return new Key(
                row.number(),
                row.age(),
                secret.orElseThrow(
                        () ->
                                new DatabaseException(
                                        ("Key %s of request states in space %s cannot be read; it"
                                             + " was wrapped by another key than that of"
                                             + " DatabaseOptions.withWrappingKey, or altered")
                                                .formatted(row.number(), space()))));
    }

    private static Optional<byte[]> decoded(String base64) {
        try {
            return Optional.of(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException e) { // whose message may have a part of the key
            return Optional.empty();
        }
    }

    private Optional<byte[]> unwrapped(WrappingKey key, Stored row) {
        return row.secret().startsWith(WRAPPED)
                ? key.unwrap(row.secret().substring(WRAPPED.length()), place(row.number()))
                : Optional.empty();
    }

    private String place(long number) {
        return space() + ' ' + number;
    }

    /** Puts the key that seals first, and deletes those that no longer open. */
    private List<byte[]> inOrder(List<Key> newestFirst, Duration ttl) {
        int sealing = newestFirst.size() - 1;
        while (sealing > 0 && newestFirst.get(sealing - 1).age() >= LEAD.toMillis()) {
            sealing--;
        }
        long opens = LEAD.plus(PERIOD).plus(ttl).toMillis();
        List<byte[]> ordered = new ArrayList<>();
        ordered.add(newestFirst.get(sealing).secret());
        for (int i = 0; i < newestFirst.size(); i++) {
            if (i > sealing && newestFirst.get(i - 1).age() >= opens) {
                long last = newestFirst.get(i).number();
                write(s -> s.update(DELETE, space(), last));
                break;
            }
            if (i != sealing) {
                ordered.add(newestFirst.get(i).secret());
            }
        }
        return ordered;
    }
}
