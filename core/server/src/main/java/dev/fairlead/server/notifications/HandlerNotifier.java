package dev.fairlead.server.notifications;

import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.engine.TokenBucket;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.LoggingMessageNotification;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends the notifications of a handler while it runs: in order, at a limited rate, and none after
 * the handler has ended. A handler that is entered again sends no progress and no log message that
 * an earlier run has sent. The lock guards order, rate and end; it is held while a message is
 * handed to the transport. Thread-safe.
 */
public final class HandlerNotifier {
    /** The way to the client. */
    public interface Way {
        /** Returns whether progress and log messages can be sent now. */
        boolean isOpen();

        /** Returns whether the client wants log messages of a level. */
        boolean wantsLog(LoggingLevel level);

        /** Sends progress that is higher than all before. Never fails. */
        void progress(Progress progress);

        /** Sends a log message. Never fails. */
        void log(JsonRpcNotification message);

        /** Sends anything else. */
        void notify(JsonRpcNotification notification);
    }

    private static final System.Logger LOGGER = System.getLogger(HandlerNotifier.class.getName());

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Way way;
    private final WireFace face;
    private final int perSecond;
    private final Timers timers;
    private final ReentrantLock lock = new ReentrantLock();
    private final SentReports reports;
    private @Nullable TokenBucket tokens; // null before the first notification
    private boolean ended;

    /**
     * @param reports of the earlier runs of the handler
     */
    public HandlerNotifier(
            Way way, WireFace face, int perSecond, Timers timers, SentReports reports) {
        this.way = way;
        this.face = face;
        this.perSecond = perSecond;
        this.timers = timers;
        this.reports = reports;
    }

    /** The handler is entered, perhaps once more. */
    public void nextRun() {
        lock.lock();
        try {
            reports.nextRun();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the reports that were sent, for the next run; null for none. */
    public SentReports.@Nullable Kept sent() {
        lock.lock();
        try {
            return reports.kept();
        } finally {
            lock.unlock();
        }
    }

    /** Stops sending notifications. */
    public void end() {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
    }

    public void progress(Progress progress) {
        boolean complete = progress.total() != null && progress.progress() >= progress.total();
        lock.lock();
        try {
            if (reports.isHigher(progress.progress()) && maySend(complete)) {
                reports.sent(progress.progress());
                way.progress(progress);
            }
        } finally {
            lock.unlock();
        }
    }

    public void log(LoggingLevel level, @Nullable String logger, JsonValue data) {
        if (!way.wantsLog(level)) {
            return;
        }
        JsonRpcNotification message =
                face.notification(
                        Notifications.LOGGING_MESSAGE,
                        new LoggingMessageNotification(level, data).withLogger(logger));
        RawJson params = Objects.requireNonNull(message.params(), "params of a log message");
        lock.lock();
        try {
            if (!reports.isRepeated(params) && maySend(level.isAtLeast(LoggingLevel.ERROR))) {
                reports.sent(params);
                way.log(message);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether the handler still runs, the client is reachable, and the rate permits it.
     *
     * @param matters whether the message is sent although the rate is exceeded
     */
    private boolean maySend(boolean matters) {
        if (ended || !way.isOpen()) {
            return false;
        }
        if (tokens == null) {
            tokens = new TokenBucket(perSecond, SECOND, perSecond, timers::nanoTime);
        }
        return tokens.take() || matters;
    }

    /**
     * Sends a notification that the rate does not limit; drops one that this revision sends on
     * subscriptions alone, or does not have.
     */
    public void notify(JsonRpcNotification notification) {
        if (ReservedNotifications.belongsElsewhere(notification.method(), face.revision())) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} is not sent: it belongs to no request of revision {1}",
                    notification.method(),
                    face.revision());
            return;
        }
        lock.lock();
        try {
            if (!ended) {
                way.notify(notification);
            }
        } finally {
            lock.unlock();
        }
    }
}
