package dev.fairlead.spring.boot.starter;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import java.time.Duration;
import java.util.List;

/**
 * The server of the application. What is absent has the default of the library.
 *
 * @param enabled whether features that are beans are served
 * @param name what clients are told; by default spring.application.name
 * @param title a name for people
 * @param version by default that of the build, if the build tells it
 * @param instructions how a model is to use the server
 * @param path of the endpoint within the application
 * @param stateless whether it is served without sessions
 * @param legacySse whether clients of revision 2024-11-05 are served beside it
 * @param allowedOrigins origins of pages that may call the server from a browser
 * @param allowedHosts host names under which clients may reach the server
 * @param trustedProxies addresses or networks of proxies that tell of their callers
 * @param health path that tells probes how the endpoint is
 * @param maxSessions how many sessions may be open
 * @param sessionIdleTimeout after how long a session without a request ends
 * @param maxBody how large a request may be
 * @param maxRequests how many requests may be under way
 * @param maxResultWaits how many {@code tasks/result} requests may wait for their tasks
 * @param requestRate how many requests a caller may send in a second; ten times as many at once
 * @param shutdownGrace how long calls under way may take when the application ends
 * @param callTimeout how long a call may take
 */
@ConfigurationProperties("fairlead.server")
record McpServerProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String name,
        @Nullable String title,
        @Nullable String version,
        @Nullable String instructions,
        @DefaultValue("/mcp") String path,
        @DefaultValue("false") boolean stateless,
        @DefaultValue("false") boolean legacySse,
        @DefaultValue List<String> allowedOrigins,
        @DefaultValue List<String> allowedHosts,
        @DefaultValue List<String> trustedProxies,
        @Nullable String health,
        @Nullable Integer maxSessions,
        @Nullable Duration sessionIdleTimeout,
        @Nullable DataSize maxBody,
        @Nullable Integer maxRequests,
        @Nullable Integer maxResultWaits,
        @Nullable Integer requestRate,
        @Nullable Duration shutdownGrace,
        @Nullable Duration callTimeout) {
    McpServerProperties {
        range("max-sessions", maxSessions, Integer.MAX_VALUE);
        range("max-body", maxBody == null ? null : maxBody.toBytes(), Integer.MAX_VALUE);
        range("max-requests", maxRequests, Integer.MAX_VALUE);
        range("max-result-waits", maxResultWaits, Integer.MAX_VALUE);
        range("request-rate", requestRate, Integer.MAX_VALUE / 10); // ten times as many at once
        positive("session-idle-timeout", sessionIdleTimeout);
        positive("shutdown-grace", shutdownGrace);
        positive("call-timeout", callTimeout);
    }

    private static void range(String name, @Nullable Number value, int most) {
        if (value != null && (value.longValue() < 1 || value.longValue() > most)) {
            throw new IllegalArgumentException(
                    "fairlead.server.%s must be from 1 to %d but was %d"
                            .formatted(name, most, value.longValue()));
        }
    }

    private static void positive(String name, @Nullable Duration value) {
        if (value != null && !value.isPositive()) {
            throw new IllegalArgumentException(
                    "fairlead.server.%s must be positive but was %s".formatted(name, value));
        }
    }
}
