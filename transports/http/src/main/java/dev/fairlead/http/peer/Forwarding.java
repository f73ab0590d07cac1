package dev.fairlead.http.peer;

import dev.fairlead.http.blocking.BlockingExchange;
import dev.fairlead.http.blocking.IncomingResponse;
import dev.fairlead.http.endpoint.HttpRefusal;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.peer.Forwarder.Site;
import dev.fairlead.http.peer.Forwarder.Target;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One exchange of a client that is forwarded to the owner of its session. An attempt after which
 * nothing has run there is repeated, with the owner of that moment. A request whose owner breaks
 * off may have run, so it is not repeated: its client loses its connection, as it does when the
 * node dies that it is connected to.
 */
final class Forwarding implements OpenExchanges.Open {
    private static final System.Logger LOGGER = System.getLogger(Forwarding.class.getName());

    /** How long attempts are repeated: until the lease of a dead owner has expired. */
    static final Duration PATIENCE = Duration.ofSeconds(6);

    private static final Duration PAUSE = Duration.ofMillis(200);

    /** An answer that is not larger is passed on as a whole. */
    private static final int SMALL = 64 << 10;

    private static final int SERVER_ERROR = 500;

    /** Headers of an answer that are not the client's. */
    private static final Set<String> OF_A_CONNECTION =
            Set.of(
                    "connection",
                    "keep-alive",
                    "transfer-encoding",
                    "content-length",
                    "date",
                    PeerEndpoint.SIGNATURE.toLowerCase(Locale.ROOT));

    private final Forwarder forwarder;
    private final HttpExchange client;

    /** Without the body once the owner has answered. */
    private volatile PeerRequest request;

    private final Site site;
    private volatile Target target;
    private volatile @Nullable BlockingExchange attempt;

    /** When the owner has sent a part of a stream, while the next one is awaited; else null. */
    private volatile @Nullable Instant waitingSince;

    /** Whether the client has left, or this node ends. */
    private volatile boolean left;

    Forwarding(
            Forwarder forwarder,
            HttpExchange client,
            PeerRequest request,
            Target target,
            Site site) {
        this.forwarder = forwarder;
        this.client = client;
        this.request = request;
        this.target = target;
        this.site = site;
    }

    Target target() {
        return target;
    }

    /** Returns whether nothing came on a stream since then, not even a heartbeat. */
    boolean isSilentSince(Instant time) {
        Instant since = waitingSince;
        return since != null && since.isBefore(time);
    }

    /** Ends the attempt under way: its node is dead. */
    void lost() {
        BlockingExchange running = attempt;
        if (running != null) {
            running.abort();
        }
    }

    /** Ends the exchange: its client has left, or this node ends. */
    void left() {
        left = true;
        lost();
    }

    /** {@inheritDoc} A stream of GET has no end of its own. */
    @Override
    public void draining() {
        if (client.method().equals("GET")) {
            left();
        }
    }

    @Override
    public void sessionClosed() {
        left();
    }

    @Override
    public boolean isForwarded() {
        return true;
    }

    void run() {
        try {
            forward();
        } catch (HttpRefusalException e) {
            site.refuse(e);
        } catch (EventStoreException e) {
            site.refuse(new HttpRefusalException(RefusalReason.STORE, "The store failed"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            drop();
        } catch (RuntimeException e) {
            LimitedLog.failed(LOGGER, Level.ERROR, "", e, "A request was not forwarded");
            drop();
        } finally {
            site.released();
            forwarder.ended(this);
        }
    }

    private void forward() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        Optional<Target> next = Optional.of(target);
        while (next.isPresent()) {
            target = next.get();
            if (attempt()) {
                return;
            }
            if (left) {
                drop();
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw new HttpRefusalException(
                        new HttpRefusal(
                                        RefusalReason.OWNER_UNREACHABLE,
                                        "The node that owns this session cannot be reached")
                                .withRetryAfter(HttpRefusal.SOON));
            }
            Thread.sleep(PAUSE);
            next = site.owner();
        }
        site.serveHere(new ReplayedExchange(client, request.body()));
    }

    /** Returns whether the client has its answer, or gets none; false if nothing has run. */
    private boolean attempt() {
        PeerCall call;
        IncomingResponse response;
        try {
            call = new PeerCall(forwarder.node, forwarder.keys, forwarder.client, request, target);
            attempt = call.exchange();
            if (left) {
                return false;
            }
            response = call.exchange().send();
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return false;
        } catch (IOException e) {
            return broken();
        }
        try (InputStream body = response.body()) {
            if (!call.isSigned(response)) {
                return unsigned(response.status());
            }
            if (response.status() == PeerEndpoint.MISDIRECTED) {
                body.readNBytes(SMALL);
                return false;
            }
            request = request.withoutBody();
            site.released();
            return relay(response, body);
        } catch (IOException e) {
            return broken();
        }
    }

    /**
     * Drops an answer that is not the owner's, which counts as unreachable. A server between the
     * nodes that answers 500 or more has perhaps passed the request on.
     */
    private boolean unsigned(int status) {
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                target.address(),
                "An answer of node {0} at {1} (status {2}) has no valid signature and was dropped:"
                        + " another program uses that address, or the node has other keys of"
                        + " request states or runs another version",
                Long.toString(target.node()),
                target.address(),
                status);
        return status >= SERVER_ERROR && broken();
    }

    /** The owner has broken off, and has perhaps run the request. */
    private boolean broken() {
        site.lost();
        if (!left && isRepeatable()) {
            return false;
        }
        drop();
        return true;
    }

    /** Whether it does no harm if the owner runs it twice: all but requests of a client. */
    private boolean isRepeatable() {
        if (!client.method().equals("POST")) {
            return true;
        }
        try {
            JsonRpcMessage message = JsonRpcMessage.parse(request.body());
            return message instanceof JsonRpcNotification
                    || message instanceof JsonRpcResponse
                    || message instanceof JsonRpcErrorResponse;
        } catch (MalformedMessageException e) {
            return false;
        }
    }

    /** Passes an answer on. Returns false if it broke off before the client had any of it. */
    private boolean relay(IncomingResponse response, InputStream body) throws IOException {
        ResponseHead head = head(response);
        if (response.length() <= SMALL) {
            byte[] whole = body.readNBytes(SMALL);
            client.respond(head, whole);
            return true;
        }
        ResponseStream out = client.stream(head);
        try {
            byte[] buffer = new byte[SMALL];
            for (int read = next(body, buffer); read >= 0; read = next(body, buffer)) {
                write(out, ByteBuffer.wrap(Arrays.copyOf(buffer, read)));
            }
            out.end();
        } catch (IOException | RuntimeException e) {
            LOGGER.log(Level.DEBUG, "A forwarded answer broke off", e);
            out.abort();
        }
        return true;
    }

    private int next(InputStream body, byte[] buffer) throws IOException {
        waitingSince = forwarder.now();
        try {
            return body.read(buffer);
        } finally {
            waitingSince = null;
        }
    }

    /**
     * Returns the head for the client, whose next request finds another node if this one closes.
     */
    private ResponseHead head(IncomingResponse response) {
        List<String> fields = new ArrayList<>();
        response.headers()
                .forEach(
                        (name, value) -> {
                            if (!OF_A_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                                fields.add(name);
                                fields.add(value);
                            }
                        });
        if (forwarder.open.isClosed()) {
            fields.add("Connection");
            fields.add("close");
        }
        return ResponseHead.of(response.status(), fields);
    }

    /** Waits until the client has taken the bytes. */
    private static void write(ResponseStream out, ByteBuffer bytes) throws IOException {
        CompletableFuture<@Nullable Throwable> written = new CompletableFuture<>();
        out.write(bytes, written::complete);
        Throwable failure = written.join();
        if (failure != null) {
            throw new IOException("the client has left", failure);
        }
    }

    /** Drops the client's connection, so that it sees that there is no answer. */
    private void drop() {
        try {
            client.stream(new ResponseHead(502, Map.of())).abort();
        } catch (RuntimeException e) { // the client has left, or its answer has begun
            LOGGER.log(Level.DEBUG, "The connection of a client could not be dropped", e);
        }
    }
}
