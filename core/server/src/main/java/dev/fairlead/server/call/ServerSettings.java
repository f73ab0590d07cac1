package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.caching.CacheHint;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.engine.ChangedLimits;
import dev.fairlead.protocol.engine.ConnectionHandler;
import dev.fairlead.protocol.engine.ConnectionLimits;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.options.CopyOnChange;
import dev.fairlead.server.handler.Delegate;
import dev.fairlead.server.lifecycle.KeptBytes;
import dev.fairlead.server.lifecycle.ServedRevisions;
import dev.fairlead.server.requests.QuestionLimits;
import dev.fairlead.server.requeststate.StateSettings;
import dev.fairlead.tasks.ServerStore;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * The settings that the builder of a server has collected; each part is documented there. Only the
 * builder changes it; a server works on a copy, in which only the interceptors change: those of
 * operators come and go.
 */
public final class ServerSettings extends CopyOnChange<ServerSettings> {
    public Implementation implementation;
    public volatile List<Interceptor> interceptors = new ArrayList<>();
    public @Nullable String instructions;
    public @Nullable JsonObject experimental;
    public @Nullable Delegate delegate;

    @SuppressWarnings("NullAway.Init") // set when a server is built
    public StateSettings requestState;

    public CacheHint listHint = CacheHint.NONE;

    @SuppressWarnings("NullAway.Init") // the same
    public ChangeBus changes;

    public ServedRevisions revisions = new ServedRevisions(EnumSet.allOf(Revision.class));
    public @Nullable Tasks tasks;

    /**
     * The store of the server; null where all is in memory, but for what has a store of its own.
     */
    public @Nullable ServerStore store;

    public boolean hidesTaskTools;
    public boolean ownThread;
    public boolean ignoresUnknownArguments;
    public boolean acceptsTextArguments;
    public boolean replaying;
    public @Nullable CallRateLimiter rateLimit;
    public boolean loopbackCalls;
    public Duration callTimeout = Duration.ofHours(1);
    public Duration requestTimeout = Duration.ofSeconds(30);
    public Duration questionTimeout = Duration.ofMinutes(10);
    public Duration changeDelay = Duration.ofMillis(50);
    public Duration slowRequest = ConnectionHandler.DEFAULT_SLOW_REQUEST;
    public LoggingLevel loggingLevel = LoggingLevel.INFO;
    public int pageSize = 50;
    public int maxSessions = 12_500;
    public int maxSubscriptions = 1_000;
    public int maxListenStreams = 10_000;
    public int maxListenStreamsPerCaller = 100;
    public boolean loopbackListenStreams;
    public int maxHeldCalls = 1_000;
    public int maxHeldCallsPerCaller = 100;
    public int maxSessionBytes = 1 << 20;
    public long maxSessionBytesSum = KeptBytes.defaultSum();
    public int notificationsPerSecond = 100;
    public @Nullable Duration keepAlive;
    public int keepAliveFailures = 1;
    public ConnectionLimits connection = ConnectionLimits.DEFAULT;

    /**
     * The settings of a server as they are without an option.
     *
     * @param rateLimit that is usual
     */
    public ServerSettings(Implementation implementation, CallRateLimiter rateLimit) {
        this.implementation = implementation;
        this.rateLimit = rateLimit;
    }

    @Override
    public ServerSettings copy() {
        ServerSettings copy = super.copy();
        copy.interceptors = List.copyOf(interceptors);
        return copy;
    }

    /** How long answers of clients are awaited. */
    QuestionLimits questionLimits() {
        return new QuestionLimits(requestTimeout, questionTimeout, null);
    }

    /** The limits that differ from their defaults, those of tasks among them. */
    public Map<String, String> changedLimits(ServerSettings defaults) {
        Map<String, String> changed = compared(defaults).toMap();
        String rate = String.valueOf(rateLimit);
        if (!rate.equals(String.valueOf(defaults.rateLimit))) {
            changed.put("rateLimit", rateLimit == null ? "off" : rate);
        }
        if (tasks != null) {
            tasks.changedLimits().forEach((limit, value) -> changed.put("tasks." + limit, value));
        }
        return changed;
    }

    /** All limits in force, without those of tasks. */
    public Map<String, String> limits() {
        return compared(this).all();
    }

    private ChangedLimits compared(ServerSettings defaults) {
        return new ChangedLimits()
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
                .add("maxHeldCallsPerCaller", maxHeldCallsPerCaller, defaults.maxHeldCallsPerCaller)
                .add("maxSessionBytes", maxSessionBytes, defaults.maxSessionBytes)
                .add("maxSessionBytesSum", maxSessionBytesSum, defaults.maxSessionBytesSum)
                .add(
                        "notificationsPerSecond",
                        notificationsPerSecond,
                        defaults.notificationsPerSecond)
                .add("keepAlive", keepAlive, defaults.keepAlive)
                .add("keepAliveFailures", keepAliveFailures, defaults.keepAliveFailures)
                .add("maxRequests", connection.requests(), defaults.connection.requests());
    }
}
