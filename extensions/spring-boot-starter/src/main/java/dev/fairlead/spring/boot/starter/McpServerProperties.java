package dev.fairlead.spring.boot.starter;

import dev.fairlead.protocol.caching.CacheScope;
import dev.fairlead.server.RequestState;
import dev.fairlead.tasks.ServerStore;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;
import org.springframework.util.unit.DataSize;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The server of the application. Absent properties have the default of the library.
 *
 * @param enabled whether features that are beans are served
 * @param name the name that is sent to clients; by default spring.application.name
 * @param title a name for people
 * @param version by default that of the build, if the build provides it
 * @param instructions how a model is to use the server
 * @param path of the endpoint within the application
 * @param stateless whether it is served without sessions
 * @param legacySse whether clients of revision 2024-11-05 are served beside it
 * @param allowedOrigins origins of pages that may call the server from a browser
 * @param allowedHeaders headers that these pages may send besides those of the protocol
 * @param allowedHosts host names under which clients may reach the server
 * @param trustedProxies addresses or networks of proxies that forward the addresses of their
 *     callers
 * @param health path at which probes get the health of the endpoint
 * @param console the pages on which people watch the server
 * @param maxSessions how many sessions may be open
 * @param sessionIdleTimeout after how long a session without a request ends
 * @param maxBody how large a request may be
 * @param maxRequests how many requests may be under way
 * @param maxResultWaits how many {@code tasks/result} requests may wait for their tasks
 * @param requestRate how many requests a caller may send in a second; ten times as many at once
 * @param shutdownGrace how long calls under way may take when the application ends
 * @param callTimeout how long a call may take
 * @param questionTimeout how long to wait for the answer of a person or a model
 * @param revisions the revisions of the protocol that are served, by date; by default all
 * @param requestState how requests that ask their client are sealed between their rounds
 * @param cacheListsFor how long clients of revision 2026-07-28 may keep lists
 * @param cacheListsScope for whom these lists may be kept; by default for the caller
 * @param maxSubscriptions how many resources a session or a stream of changes may watch
 * @param maxListenStreams how many streams of changes there may be
 * @param maxListenStreamsPerCaller how many streams of changes a caller may have
 * @param maxHeldCalls how many calls may wait for their client while they are held
 * @param maxHeldCallsPerCaller how many such calls a caller may have
 * @param ignoreUnknownArguments whether arguments that a tool does not know are ignored
 * @param acceptTextArguments whether arguments of tools may be strings that contain their JSON
 * @param ownThread whether each request runs on a thread of its own
 */
@ConfigurationProperties(McpServerProperties.PREFIX)
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
        @DefaultValue List<String> allowedHeaders,
        @DefaultValue List<String> allowedHosts,
        @DefaultValue List<String> trustedProxies,
        @Nullable String health,
        @DefaultValue ConsolePages console,
        @Nullable Integer maxSessions,
        @Nullable Duration sessionIdleTimeout,
        @Nullable DataSize maxBody,
        @Nullable Integer maxRequests,
        @Nullable Integer maxResultWaits,
        @Nullable Integer requestRate,
        @Nullable Duration shutdownGrace,
        @Nullable Duration callTimeout,
        @Nullable Duration questionTimeout,
        @DefaultValue List<String> revisions,
        @DefaultValue RequestStates requestState,
        @Nullable Duration cacheListsFor,
        @Nullable CacheScope cacheListsScope,
        @Nullable Integer maxSubscriptions,
        @Nullable Integer maxListenStreams,
        @Nullable Integer maxListenStreamsPerCaller,
        @Nullable Integer maxHeldCalls,
        @Nullable Integer maxHeldCallsPerCaller,
        @DefaultValue("false") boolean ignoreUnknownArguments,
        @DefaultValue("false") boolean acceptTextArguments,
        @DefaultValue("false") boolean ownThread) {
    static final String PREFIX = "fairlead.server";

    McpServerProperties {
        PropertyChecks checks = new PropertyChecks(PREFIX);
        checks.range("max-sessions", maxSessions, Integer.MAX_VALUE);
        checks.range("max-body", maxBody == null ? null : maxBody.toBytes(), Integer.MAX_VALUE);
        checks.range("max-requests", maxRequests, Integer.MAX_VALUE);
        checks.range("max-result-waits", maxResultWaits, Integer.MAX_VALUE);
        checks.range(
                "request-rate", requestRate, Integer.MAX_VALUE / 10); // ten times as many at once
        checks.positive("session-idle-timeout", sessionIdleTimeout);
        checks.positive("shutdown-grace", shutdownGrace);
        checks.positive("call-timeout", callTimeout);
        checks.positive("question-timeout", questionTimeout);
        checks.notNegative("cache-lists-for", cacheListsFor);
        checks.range("max-subscriptions", maxSubscriptions, Integer.MAX_VALUE);
        checks.range("max-listen-streams", maxListenStreams, Integer.MAX_VALUE);
        checks.range("max-listen-streams-per-caller", maxListenStreamsPerCaller, Integer.MAX_VALUE);
        checks.range("max-held-calls", maxHeldCalls, Integer.MAX_VALUE);
        checks.range("max-held-calls-per-caller", maxHeldCallsPerCaller, Integer.MAX_VALUE);
        RevisionDates.read("fairlead.server.revisions", revisions);
        if (path.equals(health)) {
            throw new InvalidPropertyException(
                    PREFIX + ".health must be another path than " + PREFIX + ".path");
        }
        if (cacheListsFor == null && cacheListsScope != null) {
            throw new InvalidPropertyException(
                    "fairlead.server.cache-lists-scope needs fairlead.server.cache-lists-for");
        }
    }

    /**
     * The pages on which people watch the server; they need the artifact {@code fairlead-console}.
     *
     * @param enabled whether there are any
     * @param token the secret with which people on this machine log in; without it, people log in
     *     with an access token that has the scope {@code watch} or {@code operate}
     * @param path within the application
     */
    record ConsolePages(
            @DefaultValue("false") boolean enabled,
            @Nullable String token,
            @DefaultValue("/console/") String path) {
        /** Contains no secret. */
        @Override
        public String toString() {
            return "ConsolePages[enabled=" + enabled + ", path=" + path + "]";
        }
    }

    /**
     * How requests of revision 2026-07-28 that ask their client are sealed between their rounds.
     *
     * @param keys where the keys are; one that is a file is read again when it changes
     * @param ttl how long a client may take for a round
     * @param maxBytes the size of a state as it is sent
     * @param audience separates servers that share keys
     */
    record RequestStates(
            @Nullable Resource keys,
            @Nullable Duration ttl,
            @Nullable DataSize maxBytes,
            @Nullable String audience) {
        private static final String PREFIX = "fairlead.server.request-state";

        RequestStates {
            PropertyChecks checks = new PropertyChecks(PREFIX);
            checks.positive("ttl", ttl);
            checks.range(
                    "max-bytes", maxBytes == null ? null : maxBytes.toBytes(), Integer.MAX_VALUE);
        }

        /**
         * Returns the sealing by these properties; empty if none of them is set.
         *
         * @param store has the keys if these properties name none; null for none
         */
        Optional<RequestState> sealing(@Nullable ServerStore store) {
            if (keys == null && ttl == null && maxBytes == null && audience == null) {
                return Optional.empty();
            }
            RequestState sealing = keys == null ? stored(store) : read(keys);
            PropertyMapper map = PropertyMapper.get();
            sealing = map.from(ttl).to(sealing, RequestState::ttl);
            sealing =
                    map.from(maxBytes)
                            .as(size -> (int) size.toBytes())
                            .to(sealing, RequestState::maxBytes);
            return Optional.of(map.from(audience).to(sealing, RequestState::audience));
        }

        private static RequestState stored(@Nullable ServerStore store) {
            if (store == null) {
                throw new InvalidPropertyException(
                        PREFIX + ".keys is missing: the file with the keys");
            }
            return RequestState.keys(store.stateKeys());
        }

        private static RequestState read(Resource keys) {
            try {
                return keys.isFile()
                        ? RequestState.keys(keys.getFile().toPath())
                        : RequestState.parseKeys(keys.getContentAsString(StandardCharsets.UTF_8));
            } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
                throw new InvalidPropertyException(
                        PREFIX
                                + ".keys cannot be used ("
                                + keys.getDescription()
                                + "): "
                                + e.getMessage(),
                        e);
            }
        }
    }
}
