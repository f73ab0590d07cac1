package dev.fairlead.protocol.engine;

import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.SessionInfo;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How long a session lasts, of which interceptors are told once. Safe for use by several threads.
 */
public final class SessionLife {
    private static final System.Logger LOGGER = System.getLogger(SessionLife.class.getName());

    private record Begun(SessionInfo session, Instant at) {}

    private final Collection<Interceptor> interceptors;
    private final Clock clock;
    private final AtomicReference<@Nullable Begun> begun = new AtomicReference<>();

    /**
     * @param interceptors each once
     */
    public SessionLife(Collection<Interceptor> interceptors, Clock clock) {
        this.interceptors = interceptors;
        this.clock = clock;
    }

    /** The session is agreed on. */
    public void begin(SessionInfo session) {
        begun.compareAndSet(null, new Begun(session, clock.instant()));
    }

    /** It has ended, unless it never began. */
    public void end() {
        Begun session = begun.getAndSet(null);
        if (session == null) {
            return;
        }
        Duration lasted = Duration.between(session.at(), clock.instant());
        if (lasted.isNegative()) { // the clock was set
            lasted = Duration.ZERO;
        }
        for (Interceptor interceptor : interceptors) {
            try {
                interceptor.sessionEnded(session.session(), lasted);
            } catch (RuntimeException
                    | LinkageError e) { // of the user; the others are told all the same
                LOGGER.log(
                        System.Logger.Level.ERROR,
                        "An interceptor failed at the end of a session",
                        e);
            }
        }
    }
}
