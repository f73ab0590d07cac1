package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Row;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.SessionMovedException;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Sessions over HTTP in a database, one space of it. */
final class JdbcSessionStore implements SessionStore {
    /** How many sessions one purge removes at most. */
    private static final int STEP = 500;

    private static final String OPEN =
            "insert into mcp_session (key, space, name, caller, state, restored, node, used)"
                    + " values (?, ?, ?, ?, ?, ?, ?, {now})";

    /** Whether this node owns a session. Takes key, space, node and count. */
    private static final String OWN = " where key = ? and space = ? and node = ? and restored = ?";

    private static final String SAVE = "update mcp_session set state = ?, used = {now}" + OWN;

    /** A node without an address cannot be reached. */
    private static final String FIND =
            "select s.key, s.name, s.caller, s.state, s.restored, n.id as node, n.address"
                    + " from mcp_session s left join mcp_node n on n.id = s.node and n.died is null"
                    + " and n.address is not null and n.id <> ? where s.key = ? and s.space = ?";

    /** Compares with the count read before, so that exactly one node takes it. */
    private static final String TAKE =
            "update mcp_session set node = ?, restored = restored + 1, used = {now} where key = ?"
                    + " and space = ? and restored = ? and used > {now} - ?"
                    + " returning key, name, caller, state, restored";

    /** Locks the streams in the order in which others do. */
    private static final String TAKE_STREAMS =
            "with c as materialized (select seq from mcp_stream where session = ? and not ended"
                    + " {by name for update}) update mcp_stream set node = ? where seq in (select"
                    + " seq from c)";

    private static final String GIVE = "update mcp_session set node = null" + OWN;

    private static final String TOUCH =
            "update mcp_session set used = {now} where key = ? and space = ? and node = ?";

    private static final String REMOVE = "delete from mcp_session" + OWN;

    private static final String UNUSED =
            "delete from mcp_session where key in (select t.key from mcp_session t where t.space ="
                    + " ? and t.used <= {now} - ? limit ? {for update of t skip locked}) returning"
                    + " name";

    /** Locks the streams in the order in which others do. */
    private static final String STREAMS =
            "with c as materialized (select seq from mcp_stream where session = ?"
                    + " {by name for update}) delete from mcp_stream where seq in (select seq from"
                    + " c)";

    private final EventAccess access;
    private final EventNode node;

    JdbcSessionStore(EventAccess access, EventNode node) {
        this.access = access;
        this.node = node;
    }

    private static String key(String session) {
        return "session " + session;
    }

    @Override
    public Membership join(Runnable fenced) {
        return node.entered(fenced);
    }

    @Override
    public void open(StoredSession session) {
        access.update(
                key(session.key()),
                OPEN,
                session.key(),
                access.space(),
                session.name(),
                Texts.encode(caller(session.caller()).toJson()),
                Texts.encode(session.state().toJson()),
                session.restored(),
                node.id(),
                access.now());
    }

    @Override
    public void save(StoredSession session) {
        String state = Texts.encode(session.state().toJson());
        Object own = own(session.key(), session.restored());
        if (access.update(key(session.key()), SAVE, state, access.now(), own) == 0) {
            throw new SessionMovedException(JdbcEventStore.MOVED + session.name());
        }
    }

    /** The values of {@link #OWN}. */
    private List<Object> own(String key, int restored) {
        return List.of(key, access.space(), node.id(), restored);
    }

    @Override
    public Optional<Found> find(String key) {
        return access.first(FIND, JdbcSessionStore::found, node.id(), key, access.space());
    }

    @Override
    public Optional<StoredSession> take(String key, int restored, Duration idle) {
        long taker = node.id();
        return access.transact(
                s -> {
                    Optional<StoredSession> taken =
                            s.first(
                                    TAKE,
                                    JdbcSessionStore::stored,
                                    taker,
                                    access.now(),
                                    key,
                                    access.space(),
                                    restored,
                                    access.now(),
                                    idle.toMillis());
                    if (taken.isPresent()) {
                        s.update(TAKE_STREAMS, taken.get().name(), taker);
                    }
                    return taken;
                });
    }

    @Override
    public boolean give(String key, int restored) {
        return access.update(key(key), GIVE, own(key, restored)) == 1;
    }

    @Override
    public void touch(Collection<String> keys) {
        List<String> used = keys.stream().sorted().toList(); // so that no two wait for each other
        long owner = node.id();
        access.transact(
                s -> {
                    int known = 0;
                    for (String key : used) {
                        known += s.update(TOUCH, access.now(), key, access.space(), owner);
                    }
                    return known;
                });
    }

    @Override
    public boolean remove(String key, int restored) {
        return access.update(key(key), REMOVE, own(key, restored)) == 1 || find(key).isEmpty();
    }

    @Override
    public void purge(Duration idle) {
        access.transact(
                s -> {
                    List<String> names =
                            s.list(
                                    UNUSED,
                                    row -> row.text("name"),
                                    access.space(),
                                    access.now(),
                                    idle.toMillis(),
                                    STEP);
                    for (String name : names.stream().sorted().toList()) {
                        s.update(STREAMS, name);
                    }
                    return names.size();
                });
        node.forgetDead();
    }

    private static Found found(Row row) throws SQLException {
        Long owner = row.numberOrNull("node");
        return new Found(stored(row), owner == null ? null : new Owner(owner, row.text("address")));
    }

    private static StoredSession stored(Row row) throws SQLException {
        return new StoredSession(
                row.text("key"),
                row.text("name"),
                caller(json(row.text("caller"))),
                json(row.text("state")),
                Math.toIntExact(row.number("restored")));
    }

    private static JsonObject json(String stored) {
        return (JsonObject) RawJson.parse(Texts.decode(stored)).value();
    }

    private static JsonObject caller(Caller caller) {
        return caller.isAnonymous()
                ? JsonObject.EMPTY
                : JsonObject.of(
                        "issuer", caller.issuer(),
                        "subject", caller.subject(),
                        "client", caller.client().orElse(null),
                        "scopes", caller.scopes().stream().sorted().toList());
    }

    private static Caller caller(JsonObject stored) {
        if (stored.isEmpty()) {
            return Caller.anonymous();
        }
        @Nullable String client =
                stored.get("client") instanceof JsonString text ? text.value() : null;
        return Caller.of(
                stored.string("issuer"),
                stored.string("subject"),
                client,
                scopes(stored.array("scopes")));
    }

    private static Set<String> scopes(JsonArray stored) {
        return stored.elements().stream()
                .map(scope -> ((JsonString) scope).value())
                .collect(Collectors.toSet());
    }
}
