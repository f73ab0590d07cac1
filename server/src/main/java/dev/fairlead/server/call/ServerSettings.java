package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.caching.CacheHint;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.engine.ChangedLimits;
import dev.fairlead.protocol.engine.ConnectionLimits;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.server.handler.Delegate;
import dev.fairlead.server.lifecycle.ServedRevisions;
import dev.fairlead.server.requests.Questions;
import dev.fairlead.server.requeststate.StateSettings;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Everything about a server that does not change while it runs; each is documented at the builder.
 */
public record ServerSettings(
        Implementation implementation,
        @Nullable String instructions,
        @Nullable JsonObject experimental,
        ServedRevisions revisions,
        StateSettings requestState,
        CacheHint listHint,
        ChangeBus changes,
        List<Interceptor> interceptors,
        @Nullable Delegate delegate,
        @Nullable Tasks tasks,
        boolean hidesTaskTools,
        boolean ownThread,
        boolean replaying,
        @Nullable CallRateLimiter rateLimit,
        Duration callTimeout,
        Duration requestTimeout,
        Duration questionTimeout,
        Duration changeDelay,
        Duration slowRequest,
        LoggingLevel loggingLevel,
        int pageSize,
        int maxSessions,
        int maxSubscriptions,
        int maxListenStreams,
        int maxListenStreamsPerCaller,
        int maxHeldCalls,
        int maxHeldCallsPerCaller,
        int maxSessionBytes,
        long maxSessionBytesSum,
        int notificationsPerSecond,
        @Nullable Duration keepAlive,
        int keepAliveFailures,
        ConnectionLimits connection) {
    public ServerSettings {
        interceptors = List.copyOf(interceptors);
    }

    /** How long answers of clients are awaited. */
    Questions.Limits questionLimits() {
        return Questions.Limits.of(requestTimeout, questionTimeout);
    }

    /** The limits that differ from their defaults, those of tasks among them. */
    public Map<String, String> changedLimits(ServerSettings defaults) {
        Map<String, String> changed =
                new ChangedLimits()
                        .add("callTimeout", callTimeout, defaults.callTimeout)
                        .add("requestTimeout", requestTimeout, defaults.requestTimeout)
                        .add("questionTimeout", questionTimeout, defaults.questionTimeout)
                        .add("changeDelay", changeDelay, defaults.changeDelay)
                        .add("slowRequest", slowRequest, defaults.slowRequest)
                        .add("pageSize", pageSize, defaults.pageSize)
                        .add("maxSessions", maxSessions, defaults.maxSessions)
                        .add("maxSubscriptions", maxSubscriptions, defaults.maxSubscriptions)
                        .add("maxListenStreams", maxListenStreams, defaults.maxListenStreams)
                        .add(
                                "maxListenStreamsPerCaller",
                                maxListenStreamsPerCaller,
                                defaults.maxListenStreamsPerCaller)
                        .add("maxHeldCalls", maxHeldCalls, defaults.maxHeldCalls)
                        .add(
                                "maxHeldCallsPerCaller",
                                maxHeldCallsPerCaller,
                                defaults.maxHeldCallsPerCaller)
                        .add("maxSessionBytes", maxSessionBytes, defaults.maxSessionBytes)
                        .add("maxSessionBytesSum", maxSessionBytesSum, defaults.maxSessionBytesSum)
                        .add(
                                "notificationsPerSecond",
                                notificationsPerSecond,
                                defaults.notificationsPerSecond)
                        .add("keepAlive", keepAlive, defaults.keepAlive)
                        .add("keepAliveFailures", keepAliveFailures, defaults.keepAliveFailures)
                        .add("maxRequests", connection.requests(), defaults.connection.requests())
                        .toMap();
        String rate = String.valueOf(rateLimit);
        if (!rate.equals(String.valueOf(defaults.rateLimit))) {
            changed.put("rateLimit", rateLimit == null ? "off" : rate);
        }
        if (tasks != null) {
            tasks.changedLimits().forEach((limit, value) -> changed.put("tasks." + limit, value));
        }
        return changed;
    }
}
