package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.protocol.RequestRefusal;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.engine.LogText;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts refused requests by their reason, and logs at most one line for each reason and minute
 * with the number of refusals since the line before. Safe for use by several threads.
 */
public final class Refusals {
    /** The logger of refused requests. */
    static final String LOGGER_NAME = "dev.fairlead.refusals";

    private static final System.Logger LOGGER = System.getLogger(LOGGER_NAME);
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final String TRANSPORT = "http";

    private final SessionHost host;
    private final LongSupplier nanos;
    private final Map<RefusalReason, Kind> kinds = new EnumMap<>(RefusalReason.class);

    Refusals(SessionHost host, LongSupplier nanos) {
        this.host = host;
        this.nanos = nanos;
        for (RefusalReason reason : RefusalReason.values()) {
            kinds.put(reason, new Kind(reason));
        }
    }

    /** Counts a refusal, and logs it unless its reason was logged within the last minute. */
    void add(HttpRefusal refusal, int status, Optional<InetAddress> from) {
        kind(refusal.reason()).add(refusal, status, from.orElse(null));
        host.refused(new RequestRefusal(TRANSPORT, refusal.reason().label(), status));
    }

    /** Logs the counts since the last line of each reason whose minute is over. */
    public void flush() {
        kinds.values().forEach(Kind::flush);
    }

    /** Returns how many requests were refused for each reason. */
    public Map<RefusalReason, Long> counts() {
        Map<RefusalReason, Long> counts = new EnumMap<>(RefusalReason.class);
        kinds.forEach((reason, kind) -> counts.put(reason, kind.all.sum()));
        return counts;
    }

    @SuppressWarnings("NullAway") // every reason has one
    private Kind kind(RefusalReason reason) {
        return kinds.get(reason);
    }

    /** The last refusal of a reason, for the next line. */
    private record Last(HttpRefusal refusal, int status, @Nullable InetAddress from) {}

    /** The refusals of one reason. */
    private final class Kind {
        private final RefusalReason reason;
        private final LongAdder all = new LongAdder();
        private final AtomicLong logged = new AtomicLong();
        private final AtomicReference<@Nullable Last> last = new AtomicReference<>();
        private final AtomicLong quietUntil = new AtomicLong(nanos.getAsLong());

        Kind(RefusalReason reason) {
            this.reason = reason;
        }

        void add(HttpRefusal refusal, int status, @Nullable InetAddress from) {
            all.increment();
            last.set(new Last(refusal, status, from));
            flush();
        }

        void flush() {
            Last newest = last.get();
            long until = quietUntil.get();
            long now = nanos.getAsLong();
            if (newest != null
                    && now - until >= 0
                    && quietUntil.compareAndSet(until, now + INTERVAL.toNanos())) {
                last.compareAndSet(newest, null);
                long sum = all.sum();
                long count = sum - logged.getAndSet(sum);
                if (count > 0) {
                    LOGGER.log(level(), () -> line(newest, count));
                }
            }
        }

        /** Refusals that an option changes, and failures of the server, are warnings. */
        private Level level() {
            return reason.remedy().isPresent() || reason.status() >= 500
                    ? Level.WARNING
                    : Level.INFO;
        }

        private String line(Last newest, long count) {
            StringBuilder line = new StringBuilder("Refused ");
            line.append(count == 1 ? "a request" : count + " requests");
            line.append(" with ").append(newest.status()).append(" (").append(reason.label());
            String message = newest.refusal().message();
            line.append("): ").append(LogText.clean(message));
            String value = newest.refusal().value();
            if (value != null) {
                line.append(": '").append(LogText.clean(value)).append('\'');
            }
            reason.remedy()
                    .filter(remedy -> !message.contains(remedy))
                    .ifPresent(remedy -> line.append("; ").append(remedy));
            if (newest.from() != null) {
                line.append(count == 1 ? " (from " : " (last from ");
                line.append(newest.from().getHostAddress()).append(')');
            }
            return line.toString();
        }
    }
}
