package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.Row;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.protocol.EventLimits;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Removes the events that exceed the limits of a space, and streams without events. Old events and
 * empty streams are found by indexes; other limits are checked where appends have requested it, so
 * that a sweep with nothing to do reads next to nothing, also with many streams. Several servers
 * may sweep at once.
 *
 * <p>Of each stream the oldest events go first, up to a number; so each of the limits finds such
 * numbers, and dropping is the same for all.
 */
final class EventRetention {
    /** Requests a check of all sessions and of the bytes of all events. */
    static final String WHOLE_SPACE = "";

    /** How many rows one statement finds. */
    static final int STEP = 500;

    /** How many streams are locked together: appends to them wait for a transaction. */
    private static final int TOGETHER = 100;

    /** How many sessions a step takes events from while all together have too many bytes. */
    private static final int SESSIONS_AT_ONCE = 1_000;

    /** How long each of the three parts of a sweep takes at most; the next sweep continues. */
    static final Duration PART = Duration.ofSeconds(2);

    /** How long streams of unknown sessions are kept without events. */
    static final Duration ORPHANS = Duration.ofDays(1);

    static final String OLD =
            "select stream, number, size from mcp_event where space = ?"
                    + " and created <= {now} - ? order by created limit ?";

    /** The oldest events of a session. */
    static final String OLDEST =
            "select e.stream, e.number, e.size from mcp_stream s join mcp_event e"
                    + " on e.stream = s.seq where s.session = ?"
                    + " order by e.created, e.number limit ?";

    /** The newest event of a space; of those of one millisecond that of the newest stream. */
    static final String LAST =
            "select stream, number, size from mcp_event where space = ?"
                    + " order by created desc, stream desc, number desc limit 1";

    /** Of sessions with as many bytes, the quietest come first. */
    private static final String LARGEST =
            "select session, sum(events) as events, sum(bytes) as bytes from mcp_stream"
                    + " where space = ? group by session order by sum(bytes) desc, max(used)"
                    + " limit ?";

    /** Locks the streams in the order in which others do. */
    static final String LOCK =
            "select seq from mcp_stream where seq in {numbers} {in order for update}";

    private static final String DROP =
            "delete from mcp_event where stream = ? and number <= ? returning size";

    private static final String DROPPED =
            "update mcp_stream set gone = {greatest}(gone, ?), events = events - ?,"
                    + " bytes = bytes - ?, emptied = case when events = ? then {now} else emptied"
                    + " end where seq = ?";

    private static final String REQUEST =
            "insert into mcp_limit_check (space, session, version) values (?, ?, 1)"
                    + " on conflict (space, session) do update set"
                    + " version = mcp_limit_check.version + 1";

    static final String REQUESTED =
            "select session, version from mcp_limit_check where space = ? order by session limit ?";

    /** Leaves a check that was requested again meanwhile. */
    private static final String CHECKED =
            "delete from mcp_limit_check where space = ? and session = ? and version = ?";

    static final String STREAMS = "select seq, last from mcp_stream where session = ?";

    static final String NEWEST =
            "select e.stream, e.number, e.size from mcp_stream s join mcp_event e"
                    + " on e.stream = s.seq where s.session = ?"
                    + " order by e.created desc, e.number desc limit ?";

    private static final String SESSIONS =
            "select session, sum(events) as events, sum(bytes) as bytes from mcp_stream"
                    + " where space = ? and session > ? group by session order by session limit ?";

    static final String FORGET_ENDED =
            "with c as materialized (select seq from mcp_stream t where space = ?"
                    + " and emptied is not null and ended limit ? {for update of t skip locked})"
                    + " delete from mcp_stream where seq in (select seq from c)";

    private static final String IDLE =
            "with c as materialized (select seq from mcp_stream t where space = ?"
                    + " and emptied is not null and not ended and emptied <= {now} - ?"
                    + " and %s (select 1 from mcp_session n where n.name = t.session)"
                    + " order by emptied limit ? {for update of t skip locked})";

    /** Looks at the streams of a session again as much later. */
    static final String KEEP =
            IDLE.formatted("exists")
                    + " update mcp_stream set emptied = {now} where seq in (select seq from c)";

    static final String FORGET_ORPHANS =
            IDLE.formatted("not exists")
                    + " delete from mcp_stream where seq in (select seq from c)";

    private final EventAccess access;
    private final EventLimits limits;
    private final Duration part;
    private volatile boolean stopped;

    EventRetention(EventAccess access, EventLimits limits) {
        this(access, limits, PART);
    }

    /**
     * Creates a retention with another bound of time.
     *
     * @param part as {@link #PART}; each part takes at least one step
     */
    EventRetention(EventAccess access, EventLimits limits, Duration part) {
        this.access = access;
        this.limits = limits;
        this.part = part;
    }

    /** An event without its data. */
    record Sized(long stream, long number, long size) {}

    /** A session whose limits are to be checked. */
    private record Check(String session, long version) {}

    /** How much events are. */
    record Sum(long events, long bytes) {
        static final Sum NOTHING = new Sum(0, 0);

        Sum plus(Sum other) {
            return new Sum(events + other.events, bytes + other.bytes);
        }

        Sum minus(Sum other) {
            return new Sum(events - other.events, bytes - other.bytes);
        }
    }

    record SessionSum(String session, Sum sum) {}

    /**
     * Requests checks of limits, in the transaction of an append.
     *
     * @param sessions in their natural order, in which all transactions lock them
     */
    static void request(SqlSession s, String space, List<String> sessions) throws SQLException {
        for (String session : sessions) {
            s.update(REQUEST, space, session);
        }
    }

    /** Lets a sweep that is under way end after its current step, and later ones after one. */
    void stop() {
        stopped = true;
    }

    void sweep() {
        dropOld(end());
        check(end());
        forget(end());
    }

    private long end() {
        return System.nanoTime() + part.toNanos();
    }

    private boolean isOver(long end) {
        return stopped || System.nanoTime() - end >= 0;
    }

    private void dropOld(long end) {
        int found;
        do {
            List<Sized> old =
                    access.read(
                            s ->
                                    sized(
                                            s,
                                            OLD,
                                            access.space(),
                                            access.now(),
                                            limits.age().toMillis(),
                                            STEP));
            drop(upTo(old));
            found = old.size();
        } while (found == STEP && !isOver(end));
    }

    /** The highest number of each stream. */
    private static Map<Long, Long> upTo(List<Sized> events) {
        Map<Long, Long> upTo = new HashMap<>();
        events.forEach(event -> upTo.merge(event.stream(), event.number(), Math::max));
        return upTo;
    }

    /** Drops the events of streams up to a number each, and returns their sum. */
    private Sum drop(Map<Long, Long> upTo) {
        Sum dropped = Sum.NOTHING;
        List<Long> streams = new ArrayList<>(new TreeMap<>(upTo).keySet());
        for (int i = 0; i < streams.size(); i += TOGETHER) {
            List<Long> some = streams.subList(i, Math.min(i + TOGETHER, streams.size()));
            dropped = dropped.plus(access.transact(s -> drop(s, some, upTo)));
        }
        return dropped;
    }

    private Sum drop(SqlSession s, List<Long> streams, Map<Long, Long> upTo) throws SQLException {
        String numbers =
                streams.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
        Sum all = Sum.NOTHING;
        for (Long stream : s.list(LOCK, row -> row.number("seq"), numbers)) {
            Long number = upTo.get(stream);
            List<Long> sizes = s.list(DROP, row -> row.number("size"), stream, number);
            long bytes = sizes.stream().mapToLong(Long::longValue).sum();
            Sum dropped = new Sum(sizes.size(), bytes);
            s.update(
                    DROPPED,
                    number,
                    dropped.events(),
                    dropped.bytes(),
                    dropped.events(),
                    access.now(),
                    stream);
            all = all.plus(dropped);
        }
        return all;
    }

    /** Makes the checks that were requested. One that takes too long is made again. */
    private void check(long end) {
        List<Check> requested;
        do {
            requested =
                    access.list(
                            REQUESTED,
                            row -> new Check(row.text("session"), row.number("version")),
                            access.space(),
                            STEP);
            List<Check> made = new ArrayList<>();
            for (Check check : requested) {
                if ((made.isEmpty() || !isOver(end)) && isMade(check, end)) {
                    made.add(check);
                }
            }
            forgetChecks(made);
        } while (requested.size() == STEP && !isOver(end));
    }

    private void forgetChecks(List<Check> made) {
        if (made.isEmpty()) {
            return;
        }
        access.transact(
                s -> {
                    int forgotten = 0;
                    for (Check check : made) {
                        forgotten +=
                                s.update(CHECKED, access.space(), check.session(), check.version());
                    }
                    return forgotten;
                });
    }

    /** Returns whether a check is complete. */
    private boolean isMade(Check check, long end) {
        if (check.session().equals(WHOLE_SPACE)) {
            return isSpaceChecked(end);
        }
        checkSession(check.session());
        return true;
    }

    private Sum checkSession(String session) {
        return drop(access.read(s -> beyond(s, session)));
    }

    /** The events of a session that are older than those it may keep, as numbers by streams. */
    private Map<Long, Long> beyond(SqlSession s, String session) throws SQLException {
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

    /** Returns whether the time was enough to check all sessions and the sum of all bytes. */
    private boolean isSpaceChecked(long end) {
        Sum total = Sum.NOTHING;
        String last = "";
        List<SessionSum> sums;
        do {
            sums = sums(last);
            for (SessionSum sum : sums) {
                total = total.plus(sum.sum());
                last = sum.session();
                if (sum.sum().events() > limits.eventsPerSession()
                        || sum.sum().bytes() > limits.bytesPerSession()) {
                    total = total.minus(checkSession(last));
                }
            }
            if (sums.size() == STEP && isOver(end)) {
                return false;
            }
        } while (sums.size() == STEP);
        return isReduced(total, end);
    }

    private List<SessionSum> sums(String after) {
        return access.list(SESSIONS, EventRetention::sessionSum, access.space(), after, STEP);
    }

    private static SessionSum sessionSum(Row row) throws SQLException {
        return new SessionSum(
                row.text("session"), new Sum(row.number("events"), row.number("bytes")));
    }

    /**
     * Drops the oldest events of the sessions with the most bytes while there are too many; never
     * the newest of all.
     */
    private boolean isReduced(Sum total, long end) {
        Sum left = total;
        while (left.bytes() > limits.bytes() && left.events() > 1) {
            Sum now = left;
            Sum dropped = drop(access.read(s -> excess(s, now.bytes())));
            if (dropped.events() == 0) {
                return true; // others have removed events meanwhile
            }
            left = left.minus(dropped);
            if (isOver(end)) {
                return left.bytes() <= limits.bytes();
            }
        }
        return true;
    }

    /** Returns the oldest events of a session. */
    static List<Sized> oldest(SqlSession s, String session) throws SQLException {
        return sized(s, OLDEST, session, STEP);
    }

    private Map<Long, Long> excess(SqlSession s, long total) throws SQLException {
        List<SessionSum> sessions =
                s.list(LARGEST, EventRetention::sessionSum, access.space(), SESSIONS_AT_ONCE);
        List<Sized> newest = sized(s, LAST, access.space());
        if (newest.isEmpty()) {
            return Map.of();
        }
        Sized last = newest.getFirst();
        // An event that exceeds the limit alone stays, and the others would go for nothing.
        long left = limits.bytes() + (last.size() > limits.bytes() ? last.size() : 0);
        LargestSessions largest = new LargestSessions(sessions, SESSIONS_AT_ONCE);
        Map<Long, Long> excess = new HashMap<>();
        for (long bytes = total; bytes > left; ) {
            Optional<Sized> next = largest.next(s, last);
            if (next.isEmpty()) {
                break; // the next step finds more
            }
            bytes -= next.get().size();
            excess.merge(next.get().stream(), next.get().number(), Math::max);
        }
        return excess;
    }

    /** Forgets streams without events that have ended, or whose sessions are unknown. */
    private void forget(long end) {
        repeat(end, s -> s.update(FORGET_ENDED, access.space(), STEP));
        long after = ORPHANS.toMillis();
        repeat(end, s -> s.update(KEEP, access.space(), access.now(), after, STEP, access.now()));
        repeat(end, s -> s.update(FORGET_ORPHANS, access.space(), access.now(), after, STEP));
    }

    /** Changes at most {@link #STEP} rows. */
    @FunctionalInterface
    private interface Step {
        int on(SqlSession s) throws SQLException;
    }

    private void repeat(long end, Step step) {
        int changed;
        do {
            changed = access.write(step::on);
        } while (changed == STEP && !isOver(end));
    }

    private static List<Sized> sized(SqlSession s, String sql, @Nullable Object... values)
            throws SQLException {
        return s.list(
                sql,
                row -> new Sized(row.number("stream"), row.number("number"), row.number("size")),
                values);
    }
}
