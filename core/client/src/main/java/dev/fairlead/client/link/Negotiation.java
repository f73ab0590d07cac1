package dev.fairlead.client.link;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.ForeignAnswerException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.lifecycle.InitializeResult;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.versioning.DiscoverResult;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Agrees with a server on a revision. A client that speaks both eras asks with {@code
 * server/discover} first; only an answer that shows that the server does not know it leads to
 * {@code initialize}.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning Versioning
 */
public record Negotiation(
        ClientSettings settings, Connection connection, SessionContext context, Timers timers) {
    /** How long the answer to discovery may come after that to the greeting, at most. */
    static final Duration LATE_DISCOVERY = Duration.ofSeconds(1);

    private static final System.Logger LOGGER = System.getLogger(Negotiation.class.getName());

    /** The connection ended instead of answering {@code server/discover}. */
    public static final class ProbeEndedException extends ConnectionException {
        private static final long serialVersionUID = 1;

        ProbeEndedException(ConnectionException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /**
     * Agrees on a revision.
     *
     * @param expected the era that the server is known to speak; null if that is to be found out. A
     *     server that is known to need no handshake is greeted with one where it refuses discovery
     * @throws dev.fairlead.jsonrpc.CallException if there is none that both speak
     * @throws ProbeEndedException if the server's process ended when it was asked; another one can
     *     be greeted with a handshake
     */
    public Agreed agree(@Nullable Era expected) throws InterruptedException {
        if (!settings.speaks(Era.PER_REQUEST) || !context.carries(Era.PER_REQUEST)) {
            return initialize();
        }
        if (!settings.speaks(Era.HANDSHAKE)) {
            return discover(settings.newest, settings.requestTimeout, true);
        }
        return switch (expected) {
            case HANDSHAKE -> initialize();
            case PER_REQUEST -> judged(this::discoverPatiently);
            case null -> probe();
        };
    }

    private HandshakeNegotiation handshake() {
        return new HandshakeNegotiation(settings, connection);
    }

    private Agreed initialize() throws InterruptedException {
        return handshake().initialize();
    }

    // ---- discovery

    private Agreed probe() throws InterruptedException {
        return context.hasHeaders() ? judged(this::discoverPatiently) : probePipe();
    }

    /**
     * Asks as long as any request may take.
     *
     * @throws ProbeEndedException if the server's process ended
     */
    private Agreed discoverPatiently() throws InterruptedException {
        try {
            return discover(settings.newest, settings.requestTimeout, true);
        } catch (ConnectionException e) {
            throw context.hasHeaders() || e instanceof ForeignAnswerException
                    ? e
                    : new ProbeEndedException(e);
        }
    }

    /** Asks for a result. */
    @FunctionalInterface
    private interface Step<T> {
        T ask() throws InterruptedException;
    }

    /** Falls back to a handshake where the answer shows that the server does not know discovery. */
    private Agreed judged(Step<Agreed> discovery) throws InterruptedException {
        try {
            return discovery.ask();
        } catch (ForeignAnswerException e) {
            LOGGER.log(Level.DEBUG, "The server does not know discovery: {0}", e.getMessage());
        } catch (JsonRpcException e) {
            if (!leadsToHandshake(e)) {
                throw e;
            }
            LOGGER.log(
                    Level.DEBUG, "The server refuses discovery with {0}", String.valueOf(e.code()));
        } catch (HandshakeOnlyException e) {
            LOGGER.log(Level.DEBUG, "The server serves revisions with a handshake only");
        }
        return initialize();
    }

    /** Only these codes belong to the era without handshakes; all others are of older servers. */
    private static boolean leadsToHandshake(JsonRpcException refusal) {
        return switch (refusal.code()) {
            case McpErrorCode.HEADER_MISMATCH, McpErrorCode.MISSING_CLIENT_CAPABILITY -> false;
            case McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION ->
                    HandshakeNegotiation.supported(refusal.data()).isEmpty();
            default -> true;
        };
    }

    /** The server shows that it speaks revisions with a handshake only. */
    private static final class HandshakeOnlyException extends RuntimeException {
        private static final long serialVersionUID = 1;

        HandshakeOnlyException() {
            super(null, null, false, false);
        }
    }

    /**
     * @param again whether a refusal that lists a common revision is followed by one more attempt
     */
    private Agreed discover(Revision offer, Duration timeout, boolean again)
            throws InterruptedException {
        try {
            return agreed(request(offer, timeout));
        } catch (JsonRpcException e) {
            List<String> supported = HandshakeNegotiation.supported(e.data());
            if (e.code() != McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION || supported.isEmpty()) {
                throw e;
            }
            Revision common = common(supported); // throws if there is none without a handshake
            if (!again) {
                throw e;
            }
            return discover(common, timeout, false);
        }
    }

    private RawJson request(Revision offer, Duration timeout) throws InterruptedException {
        PerRequestFace face = PerRequestFace.of(offer);
        JsonObject meta = settings.requestMeta(offer, null, false);
        RawJson result =
                connection.request(
                        new OutgoingRequest(
                                Methods.DISCOVER.name(),
                                token ->
                                        face.writeParams(
                                                Methods.DISCOVER,
                                                EmptyParams.EMPTY.withMeta(meta),
                                                token),
                                timeout,
                                timeout,
                                null,
                                null,
                                false));
        return HandshakeNegotiation.bounded(result, Methods.DISCOVER.name());
    }

    private Agreed agreed(RawJson raw) {
        if (settings.speaks(Era.HANDSHAKE) && isNoDiscovery(raw)) {
            throw new HandshakeOnlyException();
        }
        PerRequestFace newest = PerRequestFace.of(Revision.V2026_07_28);
        DiscoverResult result = newest.readResult(Methods.DISCOVER, raw);
        Revision common = common(result.supportedVersions());
        return new Agreed(
                PerRequestFace.of(common),
                new InitializeResult(common.date(), result.capabilities(), program(result))
                        .withInstructions(result.instructions())
                        .withMeta(result.meta()));
    }

    /** Some older servers answer every request that they do not know with an empty result. */
    private static boolean isNoDiscovery(RawJson result) {
        return result.value() instanceof JsonObject object && object.isEmpty();
    }

    /** The name of the server is in {@code _meta}, and that of some servers in the result. */
    private static Implementation program(DiscoverResult result) {
        JsonObject meta = result.meta() == null ? JsonObject.EMPTY : result.meta();
        JsonValue named = meta.get(MetaKey.SERVER_INFO);
        JsonValue program = named == null ? result.otherMembers().get("serverInfo") : named;
        try {
            return program == null
                    ? new Implementation("", "")
                    : JsonCodec.of(Implementation.class).tolerant((first, all) -> {}).read(program);
        } catch (JsonBindingException e) {
            return new Implementation("", "");
        }
    }

    /** The newest revision without a handshake that both sides speak. */
    private Revision common(List<String> supported) {
        List<Revision> accepted =
                supported.stream()
                        .flatMap(date -> Revision.of(date).stream())
                        .filter(settings::accepts)
                        .toList();
        Optional<Revision> newest =
                accepted.stream()
                        .filter(revision -> revision.era() == Era.PER_REQUEST)
                        .max(Revision::compareTo);
        if (newest.isPresent()) {
            return newest.get();
        }
        if (accepted.isEmpty()) {
            throw handshake().unsupported(String.join(", ", supported), null);
        }
        throw new HandshakeOnlyException();
    }

    // ---- discovery over a pipe

    /**
     * Asks, and greets with a handshake as well if no answer comes in time: some servers ignore
     * unknown requests. A server that has only started slowly gets both requests at once, and may
     * answer either first: the answer to discovery counts if it comes soon after the other. A
     * refusal of the handshake that a server without handshakes may give does not end the wait.
     */
    private Agreed probePipe() throws InterruptedException {
        Duration patience = settings.probeTimeout.plus(settings.requestTimeout);
        Attempt probe = new Attempt(() -> discover(settings.newest, patience, true));
        try {
            if (endsWithin(settings.probeTimeout, probe)) {
                return judged(() -> answerOf(probe));
            }
            LOGGER.log(Level.DEBUG, "The server did not answer discovery in time");
            return race(probe);
        } finally {
            probe.stop();
        }
    }

    private boolean endsWithin(Duration limit, Attempt attempt) throws InterruptedException {
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        attempt.outcome.whenComplete((agreed, failure) -> ended.complete(true));
        Timers.Timer timer = timers.schedule(limit, () -> ended.complete(false));
        try {
            return get(ended);
        } finally {
            timer.cancel();
        }
    }

    private Agreed answerOf(Attempt probe) throws InterruptedException {
        try {
            return probe.get();
        } catch (ConnectionException e) {
            throw new ProbeEndedException(e);
        }
    }

    private Agreed race(Attempt probe) throws InterruptedException {
        Attempt greeting = new Attempt(this::initialize);
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        probe.outcome.thenRun(() -> first.complete(true));
        greeting.outcome.whenComplete((agreed, failure) -> first.complete(true));
        try {
            get(first);
            return winner(probe, greeting).get();
        } finally {
            greeting.stop();
        }
    }

    /** Decides once discovery has succeeded, or the greeting has ended. */
    private Attempt winner(Attempt probe, Attempt greeting) throws InterruptedException {
        if (probe.hasSucceeded()) {
            return probe;
        }
        if (greeting.hasSucceeded()) {
            boolean isPatient = settings.probeTimeout.compareTo(LATE_DISCOVERY) > 0;
            Duration wait = isPatient ? LATE_DISCOVERY : settings.probeTimeout;
            return endsWithin(wait, probe) && probe.hasSucceeded() ? probe : greeting;
        }
        if (!HandshakeNegotiation.isRefusal(greeting.outcome.exceptionNow())) {
            return greeting;
        }
        get(probe.outcome.handle((agreed, failure) -> true));
        return probe.hasSucceeded()
                        || probe.outcome.exceptionNow() instanceof RequestTimeoutException
                ? probe
                : greeting;
    }

    private static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new AssertionError("completed by values alone", e);
        }
    }

    /** One of two ways to agree, on a thread of its own. */
    private static final class Attempt {
        private final CompletableFuture<Agreed> outcome = new CompletableFuture<>();
        private final Thread thread;

        Attempt(Step<Agreed> asking) {
            thread =
                    Thread.ofVirtual()
                            .name("mcp-negotiate")
                            .start(
                                    () -> {
                                        try {
                                            outcome.complete(asking.ask());
                                        } catch (InterruptedException
                                                | RuntimeException
                                                | Error e) {
                                            outcome.completeExceptionally(e);
                                        }
                                    });
        }

        Agreed get() throws InterruptedException {
            try {
                return outcome.get();
            } catch (ExecutionException e) {
                throw failure(e.getCause());
            }
        }

        private static RuntimeException failure(@Nullable Throwable cause) {
            return switch (cause) {
                case CallException call -> call.withCallerStack();
                case RuntimeException other -> other;
                case null, default -> new IllegalStateException("negotiation stopped", cause);
            };
        }

        boolean hasSucceeded() {
            return outcome.state() == Future.State.SUCCESS;
        }

        void stop() {
            thread.interrupt();
        }
    }
}
