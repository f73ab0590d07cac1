package dev.fairlead.gateway;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.McpRequests;
import dev.fairlead.client.UnsupportedRevisionException;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.server.handler.Call;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** A connection to one server that one call at a time uses, so that questions belong to it. */
final class Lease {
    private static final System.Logger LOGGER = System.getLogger(Lease.class.getName());

    /** The interval of pings, as in a group. */
    private static final Duration PING = Duration.ofSeconds(30);

    /** The number of unanswered pings after which the connection is lost. */
    private static final int PINGS = 3;

    private final Leases.Key key;
    private final McpClient client;
    private final CallsUnderWay underWay;
    private final AtomicBoolean lost;

    /** Closes the connection when it was not used for a while; guarded by the lock of the pool. */
    Timers.@Nullable Timer idle;

    private Lease(Leases.Key key, McpClient client, CallsUnderWay underWay, AtomicBoolean lost) {
        this.key = key;
        this.client = client;
        this.underWay = underWay;
        this.lost = lost;
    }

    /** Connects to a server as the client behind the gateway would. */
    static Lease open(
            Implementation gateway, UpstreamSettings settings, Timers timers, Leases.Key key)
            throws InterruptedException {
        UpstreamSettings.Server server = settings.server(key.server());
        CallsUnderWay underWay = new CallsUnderWay(null, () -> {});
        AtomicBoolean lost = new AtomicBoolean();
        AtomicReference<@Nullable McpClient> connected = new AtomicReference<>();
        Crossing crossing =
                new Crossing(
                        server.name(),
                        key.client(),
                        underWay,
                        name -> awaitLog(connected.get(), settings.logWait),
                        null);
        McpClient.Builder builder =
                Internals.withTimers(
                        McpClient.named(gateway.name(), gateway.version()), timers::borrowed);
        if (key.era() == Era.HANDSHAKE) { // which is known, so the server is not asked again
            builder.revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE);
        }
        builder.keepAlive(PING, PINGS);
        crossing.declare(builder);
        server.options().accept(builder);
        crossing.intercept(builder);
        McpClient client = builder.onConnectionLost(why -> lost.set(true)).connect(server.remote());
        connected.set(client);
        boolean ready = false;
        try {
            setLevel(client, key.client().level());
            ready = true;
            return new Lease(key, client, underWay, lost);
        } finally {
            if (!ready) {
                client.close();
            }
        }
    }

    private static void awaitLog(@Nullable McpClient client, Duration limit)
            throws InterruptedException {
        if (client != null) {
            client.awaitLog(limit);
        }
    }

    private static void setLevel(McpClient client, @Nullable LoggingLevel level)
            throws InterruptedException {
        if (level == null || !client.serverCapabilities().logging()) {
            return;
        }
        try {
            client.setLoggingLevel(level);
        } catch (JsonRpcException e) { // which fails no call, as in a group
            LOGGER.log(Level.DEBUG, "The log level {0} is refused: {1}", level, e.getMessage());
        }
    }

    Leases.Key key() {
        return key;
    }

    boolean isLost() {
        return lost.get();
    }

    void close() {
        client.close();
    }

    /**
     * Returns whether a failure comes from a server that has started again as one without sessions,
     * which is checked by a request. Such a connection counts as lost.
     */
    boolean hasNoSession(CallException failure) throws InterruptedException {
        if (!mayHaveNoSession(failure)) {
            return false;
        }
        try {
            client.ping();
            return false;
        } catch (CallException e) {
            lost.set(true);
            return true;
        }
    }

    private static boolean mayHaveNoSession(CallException failure) {
        return switch (failure) {
            case UnsupportedRevisionException other -> true; // of a new session
            case JsonRpcException error ->
                    switch (error.code()) {
                        case ErrorCode.INVALID_PARAMS,
                                ErrorCode.METHOD_NOT_FOUND,
                                McpErrorCode.HEADER_MISMATCH,
                                McpErrorCode.MISSING_CLIENT_CAPABILITY,
                                McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION ->
                                true;
                        default -> false;
                    };
            default -> false;
        };
    }

    /**
     * Sends a request on behalf of a call. Without an answer the connection counts as lost, since
     * the server may still ask for this call when another one has the connection.
     */
    Result send(Call call, MethodCall method) throws InterruptedException {
        boolean answered = false;
        try {
            Result result = sent(call, method);
            answered = true;
            return result;
        } catch (JsonRpcException e) {
            answered = true;
            throw e;
        } finally {
            if (!answered) {
                lost.set(true);
            }
        }
    }

    private Result sent(Call call, MethodCall method) throws InterruptedException {
        McpRequests requests = RequestForwarder.requests(call, client);
        return underWay.onBehalfOf(
                call,
                () ->
                        switch (method.params()) {
                            case CallToolRequest tool -> requests.callTool(tool);
                            case GetPromptRequest prompt -> requests.getPrompt(prompt);
                            case ReadResourceRequest resource -> requests.readResource(resource);
                            default -> throw new AssertionError(method.name() + " asks nothing");
                        });
    }
}
