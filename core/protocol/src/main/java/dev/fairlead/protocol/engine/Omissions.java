package dev.fairlead.protocol.engine;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.time.LimitedLog;

import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads messages of a peer without their unreadable parts, and logs those: each fault once at
 * WARNING with its place, within the {@linkplain LimitedLog limit of log lines}, and then at DEBUG.
 * Only a hash of a fault is kept. Thread-safe.
 */
public final class Omissions {
    /** The greatest number of known faults; then all are new once more. */
    private static final int MAX_FAULTS = 100;

    /** The greatest number of places in a log line. */
    private static final int PLACES = 5;

    private static final System.Logger LOGGER = System.getLogger(Omissions.class.getName());

    /** The faults of all peers that have no log of their own. */
    public static final Omissions SHARED = new Omissions("", "A peer");

    private final Object peer;
    private final String name;
    private final Set<Integer> known = new HashSet<>(); // hashes of faults, guarded by itself

    /**
     * Creates the log of a peer.
     *
     * @param peer the peer, see {@link LimitedLog#log}
     * @param name the peer as the subject of a sentence
     */
    public Omissions(Object peer, String name) {
        this.peer = peer;
        this.name = name;
    }

    /**
     * Returns a tolerant codec that reports here.
     *
     * @param what a name of the message, such as {@code the result of tools/list}; a constant
     */
    public <T> JsonCodec<T> tolerant(Class<T> type, String what) {
        return JsonCodec.of(type)
                .tolerant(
                        (first, all) ->
                                warnOnce(
                                        what + " is used without its unreadable parts",
                                        places(first, all)));
    }

    private static String places(List<JsonViolation> first, int all) {
        int named = Math.min(PLACES, first.size());
        String places =
                first.subList(0, named).stream()
                        .map(JsonViolation::toString)
                        .collect(Collectors.joining("; "));
        return all > named ? places + " (and " + (all - named) + " more)" : places;
    }

    /**
     * Logs a fault of the peer after which the rest of its message is used.
     *
     * @param fault continues the sentence {@code PEER: …}; a constant
     * @param detail details of the fault, from the peer's message
     */
    public void warnOnce(String fault, String detail) {
        LimitedLog.log(
                LOGGER,
                isNew((fault + detail).hashCode()) ? Level.WARNING : Level.DEBUG,
                peer,
                "{0}: " + fault + ": {1}",
                name,
                Printable.excerpt(detail));
    }

    /**
     * Logs a notification that cannot be used, since it cannot be answered.
     *
     * @param notification its name; a constant
     */
    public void ignored(String notification, RuntimeException why) {
        warnOnce(notification + " is ignored", String.valueOf(why.getMessage()));
    }

    private boolean isNew(int fault) {
        synchronized (known) {
            if (known.size() == MAX_FAULTS) {
                known.clear();
            }
            return known.add(fault);
        }
    }
}
