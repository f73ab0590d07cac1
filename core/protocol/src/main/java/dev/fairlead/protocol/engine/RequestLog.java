package dev.fairlead.protocol.engine;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.base.MetaKey;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;

/**
 * Logs one line for each request of the peer: the method and its target, the outcome, the duration,
 * session, caller and id. Arguments, results and messages of errors are not logged. Slow requests
 * are logged at INFO, all others at DEBUG. Costs two look-ups of a level where nothing is logged.
 */
final class RequestLog {
    private static final System.Logger LOGGER = System.getLogger("dev.fairlead.requests");

    private static final String OK = "ok";

    private final String session;
    private final boolean hasName;
    private final long slow;

    /**
     * @param slow the duration from which a request is logged at INFO
     */
    RequestLog(SessionContext context, Duration slow) {
        this.session = WireLog.label(context);
        this.hasName = context.logName().isPresent();
        this.slow = slow.toNanos();
    }

    /** The target of a request, as named in its parameters. */
    record Target(@Nullable String name, @Nullable String uri, @Nullable String taskId) {
        private static final Target NONE = new Target(null, null, null);

        @Nullable String text() {
            if (name != null) {
                return name;
            }
            return uri == null ? taskId : uri;
        }
    }

    /** The name and version of a program. */
    record Client(@Nullable String name, @Nullable String version) {
        private static final Client NONE = new Client(null, null);
    }

    private static final JsonCodec<Client> CLIENT = JsonCodec.of(Client.class);

    /** The member of a result that reports a failed tool. */
    record ToolOutcome(@Nullable Boolean isError) {}

    private static final JsonCodec<Target> TARGET = JsonCodec.of(Target.class);
    private static final JsonCodec<ToolOutcome> TOOL_OUTCOME = JsonCodec.of(ToolOutcome.class);

    /**
     * Logs a request that ended.
     *
     * @param response null if there is none
     * @param cancellation null if it was not cancelled
     * @param started in the time of {@link System#nanoTime}
     */
    void ended(
            JsonRpcRequest request,
            Exchange exchange,
            @Nullable JsonRpcMessage response,
            @Nullable Cancellation cancellation,
            long started) {
        long nanos = System.nanoTime() - started;
        boolean isSlow = nanos >= slow && RequestKind.of(request.method()) != RequestKind.WAIT;
        Level level = isSlow ? Level.INFO : Level.DEBUG;
        if (LOGGER.isLoggable(level)) {
            LOGGER.log(
                    level,
                    line(request, exchange, outcome(request, response, cancellation), nanos));
        }
    }

    private String line(JsonRpcRequest request, Exchange exchange, String outcome, long nanos) {
        StringBuilder line = new StringBuilder(LogText.clean(request.method()));
        String target = read(TARGET, request.params(), Target.NONE).text();
        if (target != null) {
            line.append(" '").append(LogText.clean(target)).append('\'');
        }
        line.append(": ").append(outcome).append(" after ");
        line.append(LogText.duration(Duration.ofNanos(nanos)));
        line.append(" (session ").append(session);
        line.append(", caller ").append(LogText.clean(exchange.caller().toString()));
        if (!hasName) { // otherwise the line names the session
            exchange.address()
                    .ifPresent(from -> line.append(" from ").append(from.getHostAddress()));
        }
        client(request).ifPresent(client -> line.append(", client ").append(client));
        line.append(", id ").append(LogText.clean(request.id().toString())).append(')');
        return line.toString();
    }

    /** Returns the program that a request of a revision without sessions names. */
    private static Optional<String> client(JsonRpcRequest request) {
        RawJson params = request.params();
        RawJson meta = params == null ? null : params.member("_meta");
        RawJson info = meta == null ? null : meta.member(MetaKey.CLIENT_INFO);
        Client client = read(CLIENT, info, Client.NONE);
        return Optional.ofNullable(client.name())
                .map(
                        name ->
                                LogText.clean(
                                        client.version() == null
                                                ? name
                                                : name + " " + client.version()));
    }

    private static String outcome(
            JsonRpcRequest request,
            @Nullable JsonRpcMessage response,
            @Nullable Cancellation cancellation) {
        if (cancellation != null) {
            return switch (cancellation.cause()) {
                case PEER -> "cancelled";
                case DEADLINE -> "timed out";
                case CLOSED -> "connection closed";
            };
        }
        return switch (response) {
            case JsonRpcErrorResponse failure -> "error " + failure.error().code();
            case JsonRpcResponse success when request.method().equals("tools/call") ->
                    hasFailed(success) ? "isError" : OK;
            case null -> "no response";
            default -> OK;
        };
    }

    private static boolean hasFailed(JsonRpcResponse toolResult) {
        ToolOutcome none = new ToolOutcome(false);
        return Boolean.TRUE.equals(read(TOOL_OUTCOME, toolResult.result(), none).isError());
    }

    private static <T> T read(JsonCodec<T> codec, @Nullable RawJson json, T otherwise) {
        try {
            return json == null ? otherwise : codec.read(json);
        } catch (JsonBindingException | JsonException e) { // the peer gets an error for it
            return otherwise;
        }
    }
}
