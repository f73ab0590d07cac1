package dev.fairlead.http.client;

import dev.fairlead.jsonrpc.ConnectionException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The stream of events of a server that speaks HTTP+SSE of revision 2024-11-05: its first event
 * names where messages are posted to, and everything that the server sends comes over it. There is
 * nothing to resume, so where the stream ends, the connection is lost.
 */
final class LegacyStream {
    private static final System.Logger LOGGER = System.getLogger(LegacyStream.class.getName());
    private static final Duration ENDPOINT_WAIT = Duration.ofSeconds(10);

    /** For the first event. */
    private enum Wait {
        LASTS,
        OVER,
        TOO_LONG
    }

    private final ConnectorOptions options;
    private final HttpRequests requests;
    private final Inbox inbox;
    private final ExchangePool exchanges;
    private final Consumer<ConnectionException> onLost;

    /**
     * @param onLost is called when the stream ended, unless it never began
     */
    LegacyStream(
            ConnectorOptions options,
            HttpRequests requests,
            Inbox inbox,
            ExchangePool exchanges,
            Consumer<ConnectionException> onLost) {
        this.options = options;
        this.requests = requests;
        this.inbox = inbox;
        this.exchanges = exchanges;
        this.onLost = onLost;
    }

    /**
     * Opens the stream unless it is open, and has messages posted from then on to the place that it
     * names. The wait for that is bounded. Only the request that initializes does this.
     *
     * @throws NoLegacyStreamException if the server has no such stream
     * @throws IOException if the server cannot be reached
     * @throws ConnectionException if it names a place of another origin
     */
    void open() throws IOException {
        if (requests.isLegacy()) {
            return;
        }
        CancellableExchange exchange = exchanges.open();
        AtomicReference<Wait> wait = new AtomicReference<>(Wait.LASTS);
        exchanges.run(() -> limit(exchange, wait));
        try {
            Answer answer = exchange.send(requests.get(Optional.empty(), Map.of()));
            SseReader reader = new SseReader(answer.body(), options.maxMessageSize);
            requests.useLegacy(endpoint(answer, reader, wait));
            exchanges.run(() -> follow(exchange, answer, reader));
        } catch (IOException e) {
            throw wait.get() == Wait.TOO_LONG
                    ? new NoLegacyStreamException(
                            "no endpoint was named within " + ENDPOINT_WAIT.toSeconds() + " s", e)
                    : e;
        } finally {
            if (!requests.isLegacy()) {
                exchange.close();
            }
        }
    }

    private static void limit(CancellableExchange exchange, AtomicReference<Wait> wait) {
        if (exchange.pause(ENDPOINT_WAIT) && wait.compareAndSet(Wait.LASTS, Wait.TOO_LONG)) {
            exchange.stop();
        }
    }

    /** Waits for the first event. */
    private URI endpoint(Answer answer, SseReader reader, AtomicReference<Wait> wait)
            throws IOException {
        if (!answer.isEventStream()) {
            throw new NoLegacyStreamException(
                    "GET was answered with status "
                            + answer.status()
                            + (answer.isSuccess() ? " and no event stream" : ""),
                    null);
        }
        SseEvent first = reader.next();
        if (!wait.compareAndSet(Wait.LASTS, Wait.OVER)) {
            throw new IOException("stopped");
        }
        if (first == null || !first.type().equals("endpoint")) {
            throw new NoLegacyStreamException("its stream does not begin with an endpoint", null);
        }
        return endpoint(new String(first.data(), StandardCharsets.UTF_8).strip());
    }

    private URI endpoint(String named) throws IOException {
        URI endpoint;
        try {
            endpoint = resolve(new URI(named));
        } catch (URISyntaxException e) {
            throw new NoLegacyStreamException("its endpoint is no URI: " + e.getReason(), e);
        }
        if (!isSameOrigin(endpoint)) {
            throw new ConnectionException(
                    "the server at "
                            + options.place()
                            + " names an endpoint of another origin, "
                            + endpoint.getScheme()
                            + "://"
                            + endpoint.getRawAuthority());
        }
        return endpoint;
    }

    /** As RFC 3986 has it, also where {@link URI#resolve} has not: no path on either side. */
    private URI resolve(URI reference) {
        URI base = options.endpoint;
        if (base.getRawPath().isEmpty()) {
            base = base.resolve("/");
        }
        boolean queryAlone =
                !reference.isAbsolute()
                        && reference.getRawAuthority() == null
                        && reference.getRawPath().isEmpty();
        return base.resolve(queryAlone ? URI.create(base.getRawPath() + reference) : reference);
    }

    private boolean isSameOrigin(URI other) {
        URI own = options.endpoint;
        return own.getScheme().equalsIgnoreCase(other.getScheme())
                && own.getHost().equalsIgnoreCase(other.getHost())
                && ConnectorOptions.port(own) == ConnectorOptions.port(other)
                && other.getRawUserInfo() == null;
    }

    private void follow(CancellableExchange exchange, Answer answer, SseReader reader) {
        try (exchange;
                answer) {
            for (SseEvent event = reader.next(); event != null; event = reader.next()) {
                if (event.isMessage()) {
                    inbox.takeEvent(event.data(), null);
                }
            }
            onLost.accept(lost("ended", null));
        } catch (IOException e) {
            onLost.accept(lost("broke off: " + e.getMessage(), e));
        } catch (RuntimeException | Error e) { // our own mistake
            LOGGER.log(Level.WARNING, "Stopped listening to " + options.place(), e);
            onLost.accept(lost("could not be read on", e));
        }
    }

    private ConnectionException lost(String how, @Nullable Throwable cause) {
        return new ConnectionException(
                "the connection to " + options.place() + " was lost: its stream of events " + how,
                cause);
    }
}
