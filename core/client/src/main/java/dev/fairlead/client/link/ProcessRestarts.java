package dev.fairlead.client.link;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The limit for starts of a server process of revision 2026-07-28 that has ended: three times a
 * minute.
 */
final class ProcessRestarts {
    private static final System.Logger LOGGER = System.getLogger(ProcessRestarts.class.getName());

    private static final int MOST = 3;
    private static final long PERIOD = Duration.ofMinutes(1).toNanos();

    private final Timers timers;
    private final Deque<Long> starts = new ArrayDeque<>(); // of the last minute; guarded by this

    ProcessRestarts(Timers timers) {
        this.timers = timers;
    }

    /**
     * Counts a start, which follows.
     *
     * @throws ConnectionException if there were three in the last minute
     */
    void take() {
        takePermit(timers.nanoTime());
        LimitedLog.log(LOGGER, Level.INFO, "", "The server has ended and is started again");
    }

    private synchronized void takePermit(long now) {
        while (!starts.isEmpty() && now - starts.getFirst() >= PERIOD) {
            starts.removeFirst();
        }
        if (starts.size() == MOST) {
            throw new ConnectionException(
                    "the server has ended again and again, and is not started more than three"
                            + " times a minute");
        }
        starts.addLast(now);
    }
}
