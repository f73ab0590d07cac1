package dev.fairlead.client.link;

import dev.fairlead.protocol.Era;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The eras of servers that the clients of this process have found out, by place. A handshake is
 * remembered for an hour, since a newer server may take the place of the older one. Beyond 256
 * servers the one that was not used for longest is forgotten.
 */
public final class KnownEras {
    private static final int CAPACITY = 256;
    private static final Duration HANDSHAKE = Duration.ofHours(1);

    /** The eras known to this process. */
    public static final KnownEras SHARED = new KnownEras();

    private record Known(Era era, Instant until) {}

    // guarded by this
    private final Map<Object, Known> known = new LinkedHashMap<>(16, 0.75f, true);

    /** Returns the era of a server, if it is known. */
    public synchronized Optional<Era> find(Object place, Instant now) {
        Known found = known.get(place);
        if (found != null && now.isAfter(found.until())) {
            known.remove(place);
            return Optional.empty();
        }
        return Optional.ofNullable(found).map(Known::era);
    }

    /** Remembers the era of a server. */
    public void remember(Object place, Era era, Instant now) {
        Instant until = era == Era.HANDSHAKE ? now.plus(HANDSHAKE) : Instant.MAX;
        synchronized (this) {
            known.put(place, new Known(era, until));
            if (known.size() > CAPACITY) {
                known.remove(known.keySet().iterator().next());
            }
        }
    }

    /** Forgets the era of a server, since the server no longer behaves so. */
    public synchronized void forget(Object place) {
        known.remove(place);
    }
}
