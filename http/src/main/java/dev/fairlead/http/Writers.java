package dev.fairlead.http;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The connections that are streams of events just now. Safe for use by several threads. */
final class Writers {
    private final Duration retry;
    private final Duration heartbeat;
    private final Clock clock;
    private final Set<StreamWriter> open = ConcurrentHashMap.newKeySet();

    Writers(Settings settings, Clock clock) {
        this.retry = settings.retry;
        this.heartbeat = settings.heartbeat;
        this.clock = clock;
    }

    /**
     * Makes a stream of events of the answer to a request.
     *
     * @param onGone called once when the connection has ended, in whichever way, with what was lost
     */
    StreamWriter connect(EventStream stream, Reply reply, Consumer<List<OutgoingEvent>> onGone) {
        StreamWriter writer =
                new StreamWriter(
                        stream,
                        reply.events(),
                        retry,
                        clock,
                        (gone, unwritten) -> {
                            open.remove(gone);
                            onGone.accept(unwritten);
                        });
        open.add(writer);
        return writer;
    }

    /** How many there are. */
    int size() {
        return open.size();
    }

    /** Writes a comment on each that was silent for as long as one may be. */
    void beat() {
        open.forEach(writer -> writer.beat(clock.instant().minus(heartbeat)));
    }
}
