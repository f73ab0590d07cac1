package dev.fairlead.http.client;

import dev.fairlead.http.sse.EventGet;
import dev.fairlead.http.sse.LegacyConnection;
import dev.fairlead.http.sse.LegacyTransport;
import dev.fairlead.http.sse.NoLegacyStreamException;
import dev.fairlead.jsonrpc.ConnectionException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The connection as HTTP+SSE of revision 2024-11-05 sees it. */
final class LegacyLink implements LegacyConnection {
    private final ConnectorOptions options;
    private final HttpRequests requests;
    private final Inbox inbox;
    private final ExchangePool exchanges;
    private final Consumer<ConnectionException> onLost;

    /**
     * @param onLost is called when the stream ended, unless it never began
     */
    LegacyLink(
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

    /** Opens the stream as {@link #open}; returns false where nothing can. */
    boolean tryOpen() throws IOException {
        Optional<LegacyTransport> transport = LegacyTransport.find();
        if (transport.isEmpty()) {
            return false;
        }
        transport.get().open(this);
        return true;
    }

    /**
     * Opens the stream unless it is open, as {@link LegacyTransport#open} does. Only the request
     * that initializes does this.
     *
     * @throws ConnectionException without the artifact that can
     */
    void open() throws IOException {
        if (!requests.isLegacy() && !tryOpen()) {
            throw new ConnectionException(
                    "HTTP+SSE needs the artifact " + LegacyTransport.ARTIFACT);
        }
    }

    @Override
    public URI uri() {
        return options.endpoint;
    }

    @Override
    public String place() {
        return options.place();
    }

    @Override
    public EventGet get() {
        return new Get(exchanges.open());
    }

    @Override
    public void run(Runnable action) {
        exchanges.run(action);
    }

    @Override
    public void postTo(URI endpoint) {
        requests.useLegacy(endpoint);
    }

    @Override
    public void received(byte[] message) {
        inbox.takeEvent(message, null);
    }

    @Override
    public void lost(ConnectionException cause) {
        onLost.accept(cause);
    }

    private final class Get implements EventGet {
        private final CancellableExchange exchange;
        private @Nullable SseReader events; // once the head of the answer has come

        Get(CancellableExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void send() throws IOException {
            Answer answer = exchange.send(requests.get(Optional.empty(), Map.of()), () -> true);
            if (!answer.isEventStream()) {
                throw new NoLegacyStreamException(
                        "GET was answered with status "
                                + answer.status()
                                + (answer.isSuccess() ? " and no event stream" : ""),
                        null);
            }
            events = new SseReader(answer.body(), options.maxMessageSize);
        }

        @Override
        public @Nullable Event next() throws IOException {
            if (events == null) {
                throw new IllegalStateException("the request was not sent");
            }
            SseEvent event = events.next();
            return event == null ? null : new Event(event.type(), event.data());
        }

        @Override
        public boolean pause(Duration time) {
            return exchange.pause(time);
        }

        @Override
        public void stop() {
            exchange.stop();
        }

        @Override
        public void close() {
            exchange.close();
        }
    }
}
