package dev.fairlead.jdbc;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.SessionStore;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Streams and their events in a database, one space of it. */
final class JdbcEventStore implements EventStore {
    private static final String NEXT =
            "insert into mcp_stream (space, session, name, requests, last, gone, events, bytes,"
                    + " ended, used) values (?, ?, ?, ?, 1, 0, 1, ?, false, {now})"
                    + " on conflict (session, name) do update set last = mcp_stream.last + 1,"
                    + " events = mcp_stream.events + 1, bytes = mcp_stream.bytes + excluded.bytes,"
                    + " used = excluded.used returning seq, last";

    private static final String INSERT =
            "insert into mcp_event (stream, number, space, created, size, data)"
                    + " values (?, ?, ?, {now}, ?, ?)";

    /** One statement, so that nothing can go between what it sees of the stream and its events. */
    private static final String AFTER =
            "select s.gone, s.last, e.number, e.data from mcp_stream s left join mcp_event e"
                    + " on e.stream = s.seq and e.number > ? where s.session = ? and s.name = ?"
                    + " and s.space = ? order by e.number limit ?";

    private static final String OPEN =
            "select requests from mcp_stream where session = ? and name = ? and space = ?"
                    + " and not ended";

    private static final String END =
            "update mcp_stream set ended = true where session = ? and name = ? and space = ?";

    private static final String FORGET = "delete from mcp_stream where session = ? and space = ?";

    private final EventAccess access;
    private final JdbcSessionStore sessions;
    private final EventRetention retention;

    JdbcEventStore(EventAccess access, JdbcSessionStore sessions, EventRetention retention) {
        this.access = access;
        this.sessions = sessions;
        this.retention = retention;
    }

    private record Place(long stream, long number) {}

    @Override
    public EventId append(Stream stream, byte[] data) {
        Place place =
                access.transact(
                        s -> {
                            Place next =
                                    s.first(
                                                    NEXT,
                                                    row ->
                                                            new Place(
                                                                    row.number("seq"),
                                                                    row.number("last")),
                                                    access.space(),
                                                    stream.session(),
                                                    stream.name(),
                                                    json(stream.requests()),
                                                    (long) data.length,
                                                    access.now())
                                            .orElseThrow();
                            s.update(
                                    INSERT,
                                    next.stream(),
                                    next.number(),
                                    access.space(),
                                    access.now(),
                                    (long) data.length,
                                    data);
                            return next;
                        });
        return new EventId(stream.session(), stream.name(), place.number());
    }

    private record Found(long gone, long last, Optional<Event> event) {}

    @Override
    public Optional<List<Event>> after(EventId last, int limit) {
        List<Found> found =
                access.read(
                        s ->
                                s.list(
                                        AFTER,
                                        row -> {
                                            Long number = row.numberOrNull("number");
                                            return new Found(
                                                    row.number("gone"),
                                                    row.number("last"),
                                                    number == null
                                                            ? Optional.empty()
                                                            : Optional.of(
                                                                    event(
                                                                            last,
                                                                            number,
                                                                            row.bytes("data"))));
                                        },
                                        last.number(),
                                        last.session(),
                                        last.stream(),
                                        access.space(),
                                        limit));
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
        return access.read(
                        s ->
                                s.first(
                                        OPEN,
                                        row -> row.text("requests"),
                                        session,
                                        name,
                                        access.space()))
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
        access.write(s -> s.update(END, session, name, access.space()));
    }

    @Override
    public void forget(String session) {
        access.write(s -> s.update(FORGET, session, access.space()));
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
