package dev.fairlead.http.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.http.exchange.PacedBody;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.time.LimitedLog;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Takes the requests that other nodes forward, and their questions for a report. A request counts
 * only as it was signed: it names this incarnation, a fresh time, a nonce that was not used, a
 * session that this node owns with its count of owners, and the caller of that session. A forwarded
 * request is never forwarded again.
 */
public final class PeerEndpoint {
    /** The path on the port for nodes. */
    public static final String PATH = "/fairlead/peer";

    /** The signature of a request, and of an answer to an authentic one. */
    static final String SIGNATURE = "Fairlead-Peer";

    /** The status of an answer if nothing has run here. */
    static final int MISDIRECTED = 421;

    /** The most bytes of the head of a request. */
    private static final int HEAD = 256 << 10;

    private static final int MAX_NONCES = 1_000_000;

    private static final System.Logger LOGGER = System.getLogger(PeerEndpoint.class.getName());

    /**
     * The session that a forwarded request belongs to.
     *
     * @param from the node that forwards it
     * @param session the id that the request names; empty if it names none
     * @param epoch the count of owners of the session
     */
    public record Addressed(long from, String session, int epoch) {
        /** Returns whether the request is the next round of a held call, in no session. */
        public boolean isHeld() {
            return epoch == Forwarder.HELD;
        }
    }

    /** Serves a request in a session of this node, or a round of a call that it holds. */
    @FunctionalInterface
    public interface Local {
        /**
         * @return false, and nothing done, if this node does not own the session with this count,
         *     or it is not the caller's; or if it holds no calls by the state of the request
         */
        boolean serve(Addressed to, HttpExchange exchange, Caller caller);
    }

    private final SessionStore.Membership node;
    private final PeerKeys keys;
    private final String path;
    private final int maxBody;
    private final Duration patience;
    private final Local local;
    private final Nonces nonces = new Nonces(MAX_NONCES);
    private volatile Supplier<JsonObject> report = () -> JsonObject.EMPTY;

    public PeerEndpoint(
            SessionStore.Membership node,
            PeerKeys keys,
            String path,
            int maxBody,
            Duration patience,
            Local local) {
        this.node = node;
        this.keys = keys;
        this.path = path;
        this.maxBody = maxBody;
        this.patience = patience;
        this.local = local;
    }

    /** Returns the routes of the port for nodes. */
    public List<Route> routes() {
        return List.of(new Route(PATH, this::handle));
    }

    /** Sets the report for other nodes that ask this one. */
    public void report(Supplier<JsonObject> given) {
        report = given;
    }

    private void handle(HttpExchange wire) {
        try {
            Optional<PeerRequest> request = authentic(wire);
            if (request.isEmpty()) {
                answer(wire, 401);
                return;
            }
            PeerExchange exchange = new PeerExchange(wire, request.get(), path, keys);
            if (!serve(exchange, request.get())) {
                exchange.respond(notMine(), new byte[0]);
            }
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "A node broke off while it sent", e);
            answer(wire, 400);
        }
    }

    /** Returns the head of the answer to a request that has run nothing here. */
    public static ResponseHead notMine() {
        return new ResponseHead(MISDIRECTED, Map.of());
    }

    /** Answers a request that is not authentic, without a signature. */
    private static void answer(HttpExchange wire, int status) {
        wire.respond(new ResponseHead(status, Map.of()), new byte[0]);
    }

    /** Reads a request; the body only if the head is authentic. */
    private Optional<PeerRequest> authentic(HttpExchange wire) throws IOException {
        Optional<String> signature = wire.header(SIGNATURE);
        if (!wire.method().equals("POST") || signature.isEmpty()) {
            return refused(wire, "has no signature");
        }
        try (InputStream in =
                new PacedBody(wire.body(HEAD + maxBody), patience::toNanos, System::nanoTime)) {
            int length = ByteBuffer.wrap(in.readNBytes(Integer.BYTES)).getInt();
            if (length < 0 || length > HEAD) {
                return refused(wire, "has a head that is too long");
            }
            byte[] head = in.readNBytes(length);
            if (!keys.verify(signature.get(), head)) {
                return refused(wire, "has a wrong signature");
            }
            Optional<PeerRequest> request =
                    PeerRequest.parse(head).with(in.readNBytes(maxBody + 1));
            return request.isEmpty() || request.get().body().length > maxBody
                    ? refused(wire, "has another body than was signed")
                    : request;
        } catch (BufferUnderflowException | IllegalArgumentException | JsonException e) {
            return refused(wire, "is malformed");
        }
    }

    private static Optional<PeerRequest> refused(HttpExchange wire, String why) {
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                why,
                "A request from {0} to the port for nodes was refused: it {1}",
                wire.remoteAddress().map(Object::toString).orElse("an unknown address"),
                why);
        return Optional.empty();
    }

    private boolean serve(PeerExchange exchange, PeerRequest request) {
        boolean ours =
                request.number("v") == PeerRequest.VERSION && request.number("to") == node.node();
        if (!ours) { // another version, or an incarnation that has ended
            return false;
        }
        String nonce = request.text("nonce").orElse("");
        Instant at = Instant.ofEpochMilli(request.number("at"));
        if (nonce.isEmpty() || !nonces.use(nonce, at, node.time())) {
            refused(exchange, "was sent before, or too late");
            return false;
        }
        if (request.isForReport()) {
            report(exchange);
            return true;
        }
        Addressed to =
                new Addressed(
                        request.number("from"),
                        exchange.header("MCP-Session-Id").orElse(""),
                        (int) request.number("epoch"));
        return local.serve(to, exchange, request.caller());
    }

    private void report(PeerExchange exchange) {
        byte[] given;
        try {
            given = report.get().toJson().getBytes(UTF_8);
        } catch (RuntimeException e) {
            LimitedLog.failed(LOGGER, Level.ERROR, "", e, "A report to another node failed");
            exchange.respond(new ResponseHead(500, Map.of()), new byte[0]);
            return;
        }
        exchange.respond(new ResponseHead(200, Map.of()), given);
    }
}
