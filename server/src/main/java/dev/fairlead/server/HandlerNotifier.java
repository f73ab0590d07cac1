package dev.fairlead.server;

import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.LoggingLevel;
import dev.fairlead.protocol.LoggingMessageNotification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Progress;
import dev.fairlead.protocol.engine.TokenBucket;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a handler tells the client while it runs: in order, not too much in a second, and nothing
 * once it has ended (PROG-011, TASK-063). The lock makes sure of that; it is held while a message
 * is handed to the transport.
 */
final class HandlerNotifier {
    /** The way to the client. */
    interface Way {
        /** Whether progress and log messages could be sent now. */
        boolean isOpen();

        /** Whether the client asked for log messages of a level. */
        boolean wantsLog(LoggingLevel level);

        /** Sends progress, which rises. Never fails. */
        void progress(Progress progress);

        /** Sends a log message. Never fails. */
        void log(JsonRpcNotification message);

        /** Sends anything else. */
        void notify(JsonRpcNotification notification);
    }

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Way way;
    private final WireFace face;
    private final int perSecond;
    private final Timers timers;
    private final ReentrantLock lock = new ReentrantLock();
    private double lastProgress = Double.NEGATIVE_INFINITY;
    private @Nullable TokenBucket tokens; // null before the first notification
    private boolean ended;

    HandlerNotifier(Way way, WireFace face, int perSecond, Timers timers) {
        this.way = way;
        this.face = face;
        this.perSecond = perSecond;
        this.timers = timers;
    }

    /** From here on nothing is told. */
    void end() {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
    }

    void progress(Progress progress) {
        boolean complete = progress.total() != null && progress.progress() >= progress.total();
        lock.lock();
        try {
            if (progress.progress() > lastProgress && mayTell(complete)) {
                lastProgress = progress.progress();
                way.progress(progress);
            }
        } finally {
            lock.unlock();
        }
    }

    void log(LoggingLevel level, @Nullable String logger, JsonValue data) {
        if (!way.wantsLog(level)) {
            return;
        }
        LoggingMessageNotification message =
                new LoggingMessageNotification(level, data).withLogger(logger);
        lock.lock();
        try {
            if (mayTell(level.isAtLeast(LoggingLevel.ERROR))) {
                way.log(
                        new JsonRpcNotification(
                                Notifications.LOGGING_MESSAGE.name(),
                                face.writeNotification(Notifications.LOGGING_MESSAGE, message)));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the handler still runs, the client can hear, and the limit is not exceeded; what
     * matters passes the limit.
     */
    private boolean mayTell(boolean matters) {
        if (ended || !way.isOpen()) {
            return false;
        }
        if (tokens == null) {
            tokens = new TokenBucket(perSecond, SECOND, perSecond, timers::nanoTime);
        }
        return tokens.take() || matters;
    }

    /** Sends a notification that no limit holds back. */
    void notify(JsonRpcNotification notification) {
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
