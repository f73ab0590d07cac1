package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.protocol.SessionStore.Owner;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The statements by which nodes live and die. Each incarnation of a node, that is each start, has a
 * row; once it is marked as dead it stays so, and other nodes may take over its tasks and sessions.
 * Each statement is a transaction of its own: a node that is frozen between two of them holds no
 * lock.
 */
final class NodeTable {
    /** Whether a node is alive. Takes its id. */
    static final String ALIVE = "(select 1 from mcp_node where id = ? and died is null)";

    private final TableAccess access;

    NodeTable(TableAccess access) {
        this.access = access;
    }

    /** A new incarnation. */
    long join(SqlSession s, String name, @Nullable String address) throws SQLException {
        return s.first(
                        "insert into mcp_node (space, name, address, steady, beat) select ?, ?,"
                                + " cast(? as text), t.now, t.now from (select {now} as now) t"
                                + " returning id, beat",
                        row -> {
                            access.databaseTimeIs(row.number("beat"));
                            return row.number("id");
                        },
                        access.space(),
                        Texts.encode(name),
                        address,
                        access.databaseNow())
                .orElseThrow();
    }

    /** Declares an incarnation dead, since it ends. */
    int leave(SqlSession s, long node) throws SQLException {
        return s.update(
                "update mcp_node set died = {now} where id = ? and died is null",
                access.databaseNow(),
                node);
    }

    /** Stores the address at which other nodes reach an incarnation. */
    int announce(SqlSession s, long node, String address) throws SQLException {
        return s.update("update mcp_node set address = ? where id = ?", address, node);
    }

    /** Stores that an incarnation takes no more sessions. */
    int drain(SqlSession s, long node) throws SQLException {
        return s.update("update mcp_node set draining = true where id = ?", node);
    }

    /** Returns a node of the space that takes sessions, other than this one. */
    Optional<Owner> another(SqlSession s, long node) throws SQLException {
        return s.first(
                "select id, address from mcp_node where space = ? and died is null and not draining"
                        + " and address is not null and id <> ? order by random() limit 1",
                row -> new Owner(row.number("id"), row.text("address")),
                access.space(),
                node);
    }

    /** Returns the living nodes of the space that others reach. */
    List<Owner> reachable(SqlSession s) throws SQLException {
        return s.list(
                "select id, address from mcp_node where space = ? and died is null"
                        + " and address is not null",
                row -> new Owner(row.number("id"), row.text("address")),
                access.space());
    }

    /** Forgets nodes of the space that died longer ago. */
    int forgetDead(SqlSession s, Duration deadFor) throws SQLException {
        return s.update(
                "delete from mcp_node where space = ? and died < {now} - ?",
                access.space(),
                access.databaseNow(),
                deadFor.toMillis());
    }

    boolean isAlive(SqlSession s, long node) throws SQLException {
        return s.first("select 1 as alive where exists " + ALIVE, row -> true, node).isPresent();
    }

    /** Returns how many nodes share a space. */
    long living(SqlSession s) throws SQLException {
        return s.first(
                        "select count(*) as n from mcp_node where died is null and space = ?",
                        row -> row.number("n"),
                        access.space())
                .orElseThrow();
    }
}
