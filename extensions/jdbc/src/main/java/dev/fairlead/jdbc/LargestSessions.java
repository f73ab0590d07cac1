package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.SqlSession;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;

/** The sessions with the most bytes, from which events are taken one after the other. */
final class LargestSessions {
    private final PriorityQueue<Held> sessions =
            new PriorityQueue<>(
                    Comparator.<Held>comparingLong(held -> -held.bytes)
                            .thenComparingInt(held -> held.place));

    /** Sessions may get smaller than others by this part, so that a step takes many events. */
    private static final int PART = 4;

    /** The bytes down to which events are taken, since sessions that are not here may have more. */
    private final long least;

    /** A session whose events are read when the first is taken. */
    private static final class Held {
        final String session;
        final int place;
        long bytes;
        boolean isRead;
        final Queue<EventRetention.Sized> oldest = new ArrayDeque<>(0);

        Held(EventRetention.SessionSum sum, int place) {
            this.session = sum.session();
            this.bytes = sum.sum().bytes();
            this.place = place;
        }
    }

    /**
     * Creates the sessions from those with the most bytes, the largest first.
     *
     * @param most how many there can be; if there are as many, further ones are smaller
     */
    LargestSessions(List<EventRetention.SessionSum> largest, int most) {
        for (EventRetention.SessionSum sum : largest) {
            sessions.add(new Held(sum, sessions.size()));
        }
        long smallest = largest.isEmpty() ? 0 : largest.getLast().sum().bytes();
        least = largest.size() < most ? 0 : smallest - smallest / PART;
    }

    /**
     * Takes the oldest event of the session that has the most bytes now.
     *
     * @param last the event that stays
     * @return empty if that session may not be among these, or has more events than were read
     */
    Optional<EventRetention.Sized> next(SqlSession s, EventRetention.Sized last)
            throws SQLException {
        Held largest = sessions.poll();
        while (largest != null && largest.bytes >= least) {
            boolean isFirst = !largest.isRead;
            if (isFirst) {
                largest.isRead = true;
                largest.oldest.addAll(EventRetention.oldest(s, largest.session));
            }
            EventRetention.Sized event = largest.oldest.poll();
            if (event == null && !isFirst) {
                return Optional.empty();
            }
            if (event != null && !event.equals(last)) {
                largest.bytes -= event.size();
                sessions.add(largest);
                return Optional.of(event);
            }
            largest = sessions.poll(); // others have removed its events, or one is left
        }
        return Optional.empty();
    }
}
