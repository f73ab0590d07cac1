package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Session;
import dev.fairlead.protocol.EventLimits;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which events go. Of each stream the oldest go first, up to a number; so each of the limits finds
 * such numbers, and dropping is the same for all. Several servers may sweep at once.
 */
final class EventRetention {
    /** How many streams, sessions or events one look finds. */
    private static final int STEP = 500;

    /** How often one sweep looks for what is too much in all. */
    private static final int STEPS = 40;

    /** How long streams of which no session is known are kept without events. */
    private static final Duration ORPHANS = Duration.ofDays(1);

    private static final String OLD =
            "select stream, max(number) as number from mcp_event where space = ?"
                    + " and created <= {now} - ? group by stream limit ?";

    private static final String LARGE =
            "select session from mcp_stream where space = ? group by session"
                    + " having sum(events) > ? or sum(bytes) > ? limit ?";

    private static final String STREAMS = "select seq, last from mcp_stream where session = ?";

    private static final String NEWEST =
            "select e.stream, e.number, e.size from mcp_stream s join mcp_event e"
                    + " on e.stream = s.seq where s.session = ?"
                    + " order by e.created desc, e.number desc limit ?";

    private static final String TOTAL =
            "select coalesce(sum(bytes), 0) as bytes, coalesce(sum(events), 0) as events"
                    + " from mcp_stream where space = ?";

    private static final String OLDEST =
            "select stream, number, size from mcp_event where space = ?"
                    + " order by created, number limit ?";

    private static final String DROP =
            "delete from mcp_event where stream = ? and number <= ? returning size";

    private static final String DROPPED =
            "update mcp_stream set gone = {greatest}(gone, ?), events = events - ?,"
                    + " bytes = bytes - ? where seq = ?";

    private static final String FORGET =
            "delete from mcp_stream where space = ? and events = 0 and (ended or (used <= {now} - ?"
                    + " and not exists (select 1 from mcp_session n where"
                    + " n.name = mcp_stream.session)))";

    private final EventAccess access;
    private final EventLimits limits;

    EventRetention(EventAccess access, EventLimits limits) {
        this.access = access;
        this.limits = limits;
    }

    /** An event without its data. */
    private record Sized(long stream, long number, long size) {}

    private record Total(long bytes, long events) {}

    void sweep() {
        access.read(this::old).forEach(this::drop);
        for (String session : access.read(this::large)) {
            access.read(s -> beyond(s, session)).forEach(this::drop);
        }
        for (int step = 0; step < STEPS; step++) {
            Map<Long, Long> excess = access.read(this::excess);
            if (excess.isEmpty()) {
                break;
            }
            excess.forEach(this::drop);
        }
        access.write(s -> s.update(FORGET, access.space(), access.now(), ORPHANS.toMillis()));
    }

    private void drop(long stream, long upTo) {
        access.transact(
                s -> {
                    List<Long> sizes = s.list(DROP, row -> row.number("size"), stream, upTo);
                    long bytes = sizes.stream().mapToLong(Long::longValue).sum();
                    return s.update(DROPPED, upTo, (long) sizes.size(), bytes, stream);
                });
    }

    private Map<Long, Long> old(Session s) throws SQLException {
        Map<Long, Long> found = new HashMap<>();
        s.list(
                OLD,
                row -> found.put(row.number("stream"), row.number("number")),
                access.space(),
                access.now(),
                limits.age().toMillis(),
                STEP);
        return found;
    }

    private List<String> large(Session s) throws SQLException {
        return s.list(
                LARGE,
                row -> row.text("session"),
                access.space(),
                (long) limits.eventsPerSession(),
                limits.bytesPerSession(),
                STEP);
    }

    /** What is older in a session than the events that it may keep. */
    private Map<Long, Long> beyond(Session s, String session) throws SQLException {
        Map<Long, Long> beyond = new HashMap<>();
        s.list(STREAMS, row -> beyond.put(row.number("seq"), row.number("last")), session);
        long bytes = 0;
        for (Sized event : sized(s, NEWEST, session, limits.eventsPerSession())) {
            if (bytes > 0 && bytes + event.size() > limits.bytesPerSession()) {
                break;
            }
            bytes += Math.max(1, event.size());
            beyond.put(event.stream(), event.number() - 1);
        }
        beyond.values().removeIf(number -> number < 1);
        return beyond;
    }

    /** Some of the oldest events of all, if there are too many bytes; never the newest. */
    private Map<Long, Long> excess(Session s) throws SQLException {
        Total total =
                s.first(
                                TOTAL,
                                row -> new Total(row.number("bytes"), row.number("events")),
                                access.space())
                        .orElseThrow();
        Map<Long, Long> excess = new HashMap<>();
        if (total.bytes() > limits.bytes() && total.events() > 1) {
            long bytes = total.bytes();
            long most = Math.min(STEP, total.events() - 1);
            for (Sized event : sized(s, OLDEST, access.space(), most)) {
                if (bytes <= limits.bytes()) {
                    break;
                }
                bytes -= event.size();
                excess.put(event.stream(), event.number());
            }
        }
        return excess;
    }

    private static List<Sized> sized(Session s, String sql, String of, long most)
            throws SQLException {
        return new ArrayList<>(
                s.list(
                        sql,
                        row ->
                                new Sized(
                                        row.number("stream"),
                                        row.number("number"),
                                        row.number("size")),
                        of,
                        most));
    }
}
