package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Dialect;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.SessionMovedException;
import dev.fairlead.protocol.SessionStore;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Streams and their events in a database, one space of it. */
final class JdbcEventStore implements EventStore {
    static final String MOVED = "Another node owns the session ";

    /** A session without a row is that of a store which is used for events alone. */
    private static final String NEXT =
            "insert into mcp_stream (space, session, name, requests, node, last, gone, events,"
                    + " bytes, ended, used) select ?, v.session, ?, ?, v.node, 1, 0, 1, ?, false,"
                    + " {now} from (select cast(? as text) as session, cast(? as bigint) as node) v"
                    + " where not exists (select 1 from mcp_session s where s.name = v.session and"
                    + " s.node is distinct from v.node)"
                    + " on conflict (session, name) do update set last = mcp_stream.last + 1,"
                    + " events = mcp_stream.events + 1, bytes = mcp_stream.bytes + excluded.bytes,"
                    + " used = excluded.used, emptied = null where mcp_stream.node = excluded.node"
                    + " returning seq, last";

    private static final String INSERT =
            "insert into mcp_event (stream, number, space, created, size, data)"
                    + " values (?, ?, ?, {now}, ?, ?)";

    private static final String STANDS =
            "select number from mcp_event where stream = ? and number = ? and data = ?";

    /** One statement, so that no write comes between its reads of the stream and of the events. */
    private static final String AFTER =
            "select s.gone, s.last, e.number, e.data from mcp_stream s left join mcp_event e"
                    + " on e.stream = s.seq and e.number > ? where s.session = ? and s.name = ?"
                    + " and s.space = ? order by e.number limit ?";

    private static final String OPEN =
            "select requests from mcp_stream where session = ? and name = ? and space = ?"
                    + " and not ended";

    private static final String END =
            "update mcp_stream set ended = true where session = ? and name = ? and space = ?"
                    + " and node = ?";

    /** Locks the streams in the order in which others do. */
    private static final String FORGET =
            "with c as materialized (select seq from mcp_stream where session = ? and space = ?"
                    + " {by name for update}) delete from mcp_stream where seq in (select seq from"
                    + " c)";

    private final EventAccess access;
    private final EventNode node;
    private final JdbcSessionStore sessions;
    private final EventRetention retention;
    private final EventGrowth growth;

    JdbcEventStore(
            EventAccess access, EventNode node, JdbcSessionStore sessions, EventLimits limits) {
        this.access = access;
        this.node = node;
        this.sessions = sessions;
        this.retention = new EventRetention(access, limits);
        this.growth = new EventGrowth(limits);
    }

    private record Place(long stream, long number) {}

    /** An earlier attempt to add an event took effect; thrown to undo the later one. */
    private static final class StandsException extends RuntimeException {
        private static final long serialVersionUID = 1;

        StandsException() {
            super("An earlier attempt has stored the event", null, false, false);
        }
    }

    @Override
    public EventId append(Stream stream, byte[] data) {
        long owner = node.id();
        AtomicLong attempted = new AtomicLong(); // the number of the attempt before; 0 for none
        List<String> checks = growth.add(stream.session(), data.length);
        long number;
        try {
            number =
                    access.transactRepeatable(
                            s -> {
                                long appended = append(s, stream, owner, data, attempted);
                                EventRetention.request(s, access.space(), checks);
                                return appended;
                            });
        } catch (StandsException e) {
            number = attempted.get();
        } catch (RuntimeException e) {
            growth.restore(checks);
            throw e;
        }
        return new EventId(stream.session(), stream.name(), number);
    }

    private long append(SqlSession s, Stream stream, long owner, byte[] data, AtomicLong attempted)
            throws SQLException {
        Place next =
                s.first(
                                NEXT,
                                row -> new Place(row.number("seq"), row.number("last")),
                                access.space(),
                                stream.name(),
                                json(stream.requests()),
                                (long) data.length,
                                access.now(),
                                stream.session(),
                                owner)
                        .orElseThrow(() -> new SessionMovedException(MOVED + stream.session()));
        if (attempted.get() > 0 && stands(s, next.stream(), attempted.get(), data)) {
            throw new StandsException();
        }
        attempted.set(next.number());
        s.update(
                INSERT,
                next.stream(),
                next.number(),
                access.space(),
                access.now(),
                (long) data.length,
                data);
        return next.number();
    }

    private static boolean stands(SqlSession s, long stream, long number, byte[] data)
            throws SQLException {
        return s.first(STANDS, row -> row.number("number"), stream, number, data).isPresent();
    }

    private record Found(long gone, long last, Optional<Event> event) {}

    @Override
    public Optional<List<Event>> after(EventId last, int limit) {
        List<Found> found =
                access.list(
                        AFTER,
                        row -> {
                            Long number = row.numberOrNull("number");
                            return new Found(
                                    row.number("gone"),
                                    row.number("last"),
                                    number == null
                                            ? Optional.empty()
                                            : Optional.of(event(last, number, row.bytes("data"))));
                        },
                        last.number(),
                        last.session(),
                        last.stream(),
                        access.space(),
                        limit);
        if (found.isEmpty()
                || last.number() < found.getFirst().gone()
                || last.number() > found.getFirst().last()) {
            return Optional.empty();
        }
        return Optional.of(found.stream().flatMap(each -> each.event().stream()).toList());
    }

    private static Event event(EventId of, long number, byte[] data) {
        return new Event(new EventId(of.session(), of.stream(), number), data);
    }

    @Override
    public Optional<Stream> open(String session, String name) {
        return access.first(OPEN, row -> row.text("requests"), session, name, access.space())
                .map(requests -> new Stream(session, name, requests(requests)));
    }

    private static String json(List<RequestId> requests) {
        return Texts.encode(
                requests.stream()
                        .map(request -> request.value().toJson())
                        .collect(Collectors.joining(",", "[", "]")));
    }

    private static List<RequestId> requests(String stored) {
        List<RequestId> requests = new ArrayList<>();
        JsonArray ids = (JsonArray) RawJson.parse(Texts.decode(stored)).value();
        ids.elements().forEach(id -> requests.add(new RequestId(id)));
        return requests;
    }

    @Override
    public void end(String session, String name) {
        String key = "stream " + session + ' ' + name;
        access.update(key, END, session, name, access.space(), node.id());
    }

    @Override
    public void forget(String session) {
        access.write(s -> s.update(FORGET, session, access.space()));
        growth.forget(session);
    }

    @Override
    public boolean sweepsByItself() {
        return access.engine().dialect() == Dialect.POSTGRES;
    }

    @Override
    public void sweep() {
        retention.sweep();
    }

    @Override
    public Optional<SessionStore> sessions() {
        return Optional.of(sessions);
    }
}
