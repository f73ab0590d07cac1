package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Row;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Caller;
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

    private static final String SAVE =
            "insert into mcp_session (key, space, name, caller, state, restored, used)"
                    + " values (?, ?, ?, ?, ?, ?, {now}) on conflict (key) do update set"
                    + " state = excluded.state, used = excluded.used";

    private static final String FIND =
            "select key, name, caller, state, restored from mcp_session"
                    + " where key = ? and space = ?";

    private static final String RESTORE =
            "update mcp_session set restored = restored + 1, used = {now} where key = ?"
                    + " and space = ? and used > {now} - ?"
                    + " returning key, name, caller, state, restored";

    private static final String TOUCH =
            "update mcp_session set used = {now} where key = ? and space = ?";

    private static final String REMOVE = "delete from mcp_session where key = ? and space = ?";

    private static final String REMOVE_UNUSED =
            "delete from mcp_session where key = ? and space = ? and restored = ?"
                    + " and used <= {now} - ?";

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

    JdbcSessionStore(EventAccess access) {
        this.access = access;
    }

    private static String key(String session) {
        return "session " + session;
    }

    @Override
    public void save(StoredSession session) {
        access.update(
                key(session.key()),
                SAVE,
                session.key(),
                access.space(),
                session.name(),
                Texts.encode(caller(session.caller()).toJson()),
                Texts.encode(session.state().toJson()),
                session.restored(),
                access.now());
    }

    @Override
    public Optional<StoredSession> find(String key) {
        return access.first(FIND, JdbcSessionStore::stored, key, access.space());
    }

    @Override
    public Optional<StoredSession> restore(String key, Duration idle) {
        return access.write(
                key(key),
                s ->
                        s.first(
                                RESTORE,
                                JdbcSessionStore::stored,
                                access.now(),
                                key,
                                access.space(),
                                access.now(),
                                idle.toMillis()));
    }

    @Override
    public void touch(Collection<String> keys) {
        List<String> used = keys.stream().sorted().toList(); // so that no two wait for each other
        access.transact(
                s -> {
                    int known = 0;
                    for (String key : used) {
                        known += s.update(TOUCH, access.now(), key, access.space());
                    }
                    return known;
                });
    }

    @Override
    public void remove(String key) {
        access.update(key(key), REMOVE, key, access.space());
    }

    @Override
    public boolean removeIfUnused(String key, int restored, Duration unused) {
        return access.transact(
                s -> {
                    int removed =
                            s.update(
                                    REMOVE_UNUSED,
                                    key,
                                    access.space(),
                                    restored,
                                    access.now(),
                                    unused.toMillis());
                    return removed == 1
                            || s.first(FIND, JdbcSessionStore::stored, key, access.space())
                                    .isEmpty();
                });
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
