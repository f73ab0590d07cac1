package dev.fairlead.server;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Implementation;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.LoggingLevel;
import dev.fairlead.protocol.engine.ConnectionLimits;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * Everything about a server that does not change while it runs; each is documented at the builder.
 */
record ServerSettings(
        Implementation implementation,
        @Nullable String instructions,
        @Nullable JsonObject experimental,
        List<Interceptor> interceptors,
        @Nullable Delegate delegate,
        @Nullable Tasks tasks,
        boolean hidesTaskTools,
        boolean replaying,
        @Nullable RateLimit rateLimit,
        Duration callTimeout,
        Duration requestTimeout,
        Duration questionTimeout,
        Duration changeDelay,
        LoggingLevel loggingLevel,
        int pageSize,
        int maxSessions,
        int maxSubscriptions,
        int tellsPerSecond,
        @Nullable Duration keepAlive,
        int keepAliveFailures,
        ConnectionLimits connection) {
    ServerSettings {
        interceptors = List.copyOf(interceptors);
    }
}
