package dev.fairlead.auth.fetch;

import dev.fairlead.http.blocking.BlockingClient;
import dev.fairlead.http.blocking.BlockingExchange;
import dev.fairlead.http.blocking.IncomingResponse;
import dev.fairlead.http.blocking.OutgoingRequest;
import dev.fairlead.http.blocking.Routes;
import dev.fairlead.http.blocking.TunnelRefusedException;
import dev.fairlead.http.blocking.Via;
import dev.fairlead.http.client.HttpProxy;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sends requests to targets that were checked, each over a connection of its own, and takes the
 * answers within the limits. It adds nothing of itself: no cookies, credentials, redirects,
 * repetitions and compression. A proxy is asked for a connection ({@code CONNECT}), with its own
 * credentials, and sees nothing of the request: fetches from other machines use TLS.
 *
 * <p>For one thread; any other may {@link #close} it, which ends a fetch in any state of its
 * thread: a thread that always finds bytes to read never looks whether it was interrupted.
 */
final class Wire implements AutoCloseable {
    private final FetchLimits limits;
    private final Runnable connecting;
    private @Nullable BlockingExchange exchange; // guarded by this, as is the next one
    private boolean closed;

    /**
     * @param connecting runs before each connection is made
     */
    Wire(FetchLimits limits, Runnable connecting) {
        this.limits = limits;
        this.connecting = connecting;
    }

    Fetched send(FetchTarget target, OutgoingRequest request) throws IOException {
        try (BlockingClient client =
                new BlockingClient(new Checked(target), Thread::startVirtualThread)) {
            BlockingExchange begun = client.exchange(request);
            begin(begun);
            try {
                return take(begun.send());
            } finally {
                begun.abort(); // an answer is not read to its end for the next one
            }
        } catch (TunnelRefusedException e) {
            throw new IOException(
                    "the proxy " + target.proxy() + " gives no connection: " + e.getMessage(), e);
        } catch (ConnectException | HttpConnectTimeoutException e) {
            if (target.proxy() == null) {
                throw e;
            }
            throw new IOException(
                    "the proxy " + target.proxy() + " does not answer: " + e.getMessage(), e);
        }
    }

    private synchronized void begin(BlockingExchange begun) throws IOException {
        if (closed) {
            throw new InterruptedIOException("the fetch has ended");
        }
        exchange = begun;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (exchange != null) {
            exchange.abort();
        }
    }

    private Fetched take(IncomingResponse response) throws IOException {
        if (!response.codings().isEmpty()) { // it was not asked for
            throw new RefusedException(
                    "an answer with the content encoding "
                            + PlainText.of(String.join(", ", response.codings()))
                            + " is not taken: none was asked for");
        }
        Map<String, List<String>> headers = new TreeMap<>();
        response.headers()
                .forEach(
                        (name, value) ->
                                headers.computeIfAbsent(
                                                name.toLowerCase(Locale.ROOT),
                                                first -> new ArrayList<>())
                                        .add(value));
        byte[] bytes = response.body().readNBytes(limits.maxSize() + 1);
        if (bytes.length > limits.maxSize()) {
            throw new RefusedException(
                    "an answer of more than " + limits.maxSize() + " bytes is not taken");
        }
        return new Fetched(response.status(), headers, bytes);
    }

    /** Leads to the addresses that were checked, and to no others. */
    private final class Checked implements Routes {
        private final FetchTarget target;

        Checked(FetchTarget target) {
            this.target = target;
        }

        @Override
        public Duration timeout() {
            return limits.connectTimeout();
        }

        @Override
        public @Nullable Via proxy(URI uri) {
            HttpProxy proxy = target.proxy();
            return proxy == null
                    ? null
                    : new Via(proxy.host(), proxy.port(), proxy.authorization());
        }

        @Override
        public List<InetAddress> addresses(String host) {
            return target.addresses();
        }

        @Override
        public void connecting(InetAddress address) {
            connecting.run();
        }
    }
}
