package dev.fairlead.client.link;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.InitializeRequest;
import dev.fairlead.protocol.lifecycle.InitializeResult;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Agrees with a server on a revision by {@code initialize}.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle Lifecycle
 */
record HandshakeNegotiation(ClientSettings settings, Connection connection) {
    /** The most bytes of the result of {@code initialize} or discovery, which is kept. */
    public static final int MAX_RESULT = 1 << 20;

    /** Sends {@code initialize} with the newest revision of its era. */
    Agreed initialize() throws InterruptedException {
        return initialize(settings.newestWithHandshake());
    }

    private Agreed initialize(Revision offer) throws InterruptedException {
        WireFace offered = HandshakeFace.of(offer);
        InitializeRequest request =
                new InitializeRequest(
                        offer.date(), offered.limit(settings.capabilities()), settings.info);
        Duration timeout = settings.requestTimeout;
        InitializeResult result;
        try {
            RawJson raw =
                    connection.request(
                            new OutgoingRequest(
                                    Methods.INITIALIZE.name(),
                                    token ->
                                            offered.writeParams(Methods.INITIALIZE, request, token),
                                    timeout,
                                    timeout,
                                    null,
                                    null));
            result =
                    offered.readResult(Methods.INITIALIZE, bounded(raw, Methods.INITIALIZE.name()));
        } catch (JsonRpcException e) {
            return offerAgain(offer, e);
        }
        String date = result.protocolVersion();
        Revision agreed =
                Revision.withHandshake(date)
                        .filter(settings::accepts)
                        .orElseThrow(() -> unsupported(date, null));
        return new Agreed(HandshakeFace.of(agreed), result);
    }

    /** Some servers refuse with the list of their revisions, instead of naming another revision. */
    private Agreed offerAgain(Revision refused, JsonRpcException refusal)
            throws InterruptedException {
        List<String> supported = supported(refusal.data());
        if (supported.isEmpty()) {
            throw refusal;
        }
        Revision common =
                supported.stream()
                        .flatMap(date -> Revision.withHandshake(date).stream())
                        .filter(
                                candidate ->
                                        settings.accepts(candidate)
                                                && candidate.compareTo(refused) < 0)
                        .max(Revision::compareTo)
                        .orElseThrow(() -> unsupported(String.join(", ", supported), refusal));
        return initialize(common);
    }

    /** Whether a server that serves revisions without a handshake only may refuse one like this. */
    static boolean isRefusal(Throwable failure) {
        Throwable refusal = failure.getCause() instanceof JsonRpcException cause ? cause : failure;
        if (!(refusal instanceof JsonRpcException error)) {
            return false;
        }
        List<String> supported = supported(error.data());
        if (!supported.isEmpty()) {
            return supported.stream()
                    .flatMap(date -> Revision.of(date).stream())
                    .anyMatch(revision -> revision.era() == Era.PER_REQUEST);
        }
        return switch (error.code()) {
            case ErrorCode.METHOD_NOT_FOUND,
                    ErrorCode.INVALID_PARAMS, // it lacks the members of the revision in _meta
                    McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION ->
                    true;
            default -> false;
        };
    }

    /** Makes sure that a result is not too large to be kept. */
    static RawJson bounded(RawJson result, String method) {
        if (result.size() > MAX_RESULT) {
            throw new InvalidResultException(
                    "the result of %s may have %s bytes but has %s"
                            .formatted(method, MAX_RESULT, result.size()),
                    null);
        }
        return result;
    }

    /** There is no common revision. */
    CallException unsupported(String offered, @Nullable JsonRpcException refusal) {
        return settings.failures.unsupportedRevision(offered, settings, refusal);
    }

    /** Returns the revisions that an error lists. */
    static List<String> supported(@Nullable JsonValue data) {
        if (data instanceof JsonObject object
                && object.get("supported") instanceof JsonArray dates) {
            return dates.elements().stream()
                    .flatMap(
                            date ->
                                    date instanceof JsonString text
                                            ? Stream.of(text.value())
                                            : Stream.of())
                    .toList();
        }
        return List.of();
    }
}
