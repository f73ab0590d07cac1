package dev.fairlead.server;

import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.LoggingLevel;
import dev.fairlead.protocol.LoggingMessageNotification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Progress;
import dev.fairlead.protocol.ProgressNotification;
import dev.fairlead.protocol.ProgressToken;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.face.WireFace;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a call tells its client while it runs. The lock keeps that in order and makes sure that
 * nothing is told once the response is on its way (PROG-011); it is held while a message is handed
 * to the transport.
 */
final class Telling {
    private static final System.Logger LOGGER = System.getLogger(Telling.class.getName());

    private final ServerSession session;
    private final IncomingRequest request;
    private final WireFace face;
    private final ReentrantLock lock = new ReentrantLock();
    private double lastProgress = Double.NEGATIVE_INFINITY;
    private @Nullable Throttle throttle;
    private boolean ended;

    Telling(ServerSession session, IncomingRequest request, WireFace face) {
        this.session = session;
        this.request = request;
        this.face = face;
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

    void progress(ProgressToken token, Progress progress) {
        lock.lock();
        try {
            if (!(progress.progress() > lastProgress) || !mayTell(isComplete(progress))) {
                return;
            }
            lastProgress = progress.progress();
            tell(
                    new JsonRpcNotification(
                            Notifications.PROGRESS.name(),
                            face.writeNotification(
                                    Notifications.PROGRESS,
                                    ProgressNotification.of(token, progress))));
        } finally {
            lock.unlock();
        }
    }

    private static boolean isComplete(Progress progress) {
        return progress.total() != null && progress.progress() >= progress.total();
    }

    void log(LoggingLevel level, @Nullable String logger, JsonValue data) {
        if (!session.announcements().wantsLog(level)) {
            return;
        }
        LoggingMessageNotification message =
                new LoggingMessageNotification(level, data).withLogger(logger);
        lock.lock();
        try {
            if (mayTell(level.isAtLeast(LoggingLevel.ERROR))) {
                tell(
                        new JsonRpcNotification(
                                Notifications.LOGGING_MESSAGE.name(),
                                face.writeNotification(Notifications.LOGGING_MESSAGE, message)));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the call still runs, somebody can hear, and the limit is not exceeded; what matters
     * passes the limit.
     */
    private boolean mayTell(boolean matters) {
        if (ended || !request.exchange().isStreaming()) {
            return false;
        }
        if (throttle == null) {
            int rate = session.settings().tellsPerSecond();
            throttle = new Throttle(rate, rate, session.timers()::nanoTime);
        }
        return throttle.pass() || matters;
    }

    private void tell(JsonRpcNotification notification) {
        try {
            request.send(notification);
        } catch (ConnectionException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} was not delivered: {1}",
                    notification.method(),
                    e.getMessage());
        }
    }

    /** Sends a notification of the author's own, beside the stream of the call if need be. */
    void notify(String method, @Nullable RawJson params) {
        JsonRpcNotification notification = new JsonRpcNotification(method, params);
        lock.lock();
        try {
            if (ended) {
                return;
            }
            if (request.exchange().isStreaming()) {
                request.send(notification);
            } else {
                session.connection().notify(notification);
            }
        } finally {
            lock.unlock();
        }
    }
}
