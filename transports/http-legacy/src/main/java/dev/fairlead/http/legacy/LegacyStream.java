package dev.fairlead.http.legacy;

import dev.fairlead.http.sse.EventGet;
import dev.fairlead.http.sse.LegacyConnection;
import dev.fairlead.http.sse.NoLegacyStreamException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The stream of events of a server that speaks HTTP+SSE of revision 2024-11-05: its first event
 * names where messages are posted to, and everything that the server sends comes over it. There is
 * nothing to resume, so where the stream ends, the connection is lost.
 */
final class LegacyStream {
    private static final System.Logger LOGGER = System.getLogger(LegacyStream.class.getName());
    private static final Duration ENDPOINT_WAIT = Duration.ofSeconds(10);

    /** The state of the wait for the first event. */
    private enum Wait {
        LASTS,
        OVER,
        TOO_LONG
    }

    private final LegacyConnection connection;

    LegacyStream(LegacyConnection connection) {
        this.connection = connection;
    }

    /** Opens the stream, see {@link dev.fairlead.http.sse.LegacyTransport#open}. */
    void open() throws IOException {
        EventGet get = connection.get();
        boolean opened = false;
        AtomicReference<Wait> wait = new AtomicReference<>(Wait.LASTS);
        connection.run(() -> limit(get, wait));
        try {
            get.send();
            connection.postTo(endpoint(get, wait));
            opened = true;
            connection.run(() -> follow(get));
        } catch (IOException e) {
            throw wait.get() == Wait.TOO_LONG
                    ? new NoLegacyStreamException(
                            "no endpoint was named within " + ENDPOINT_WAIT.toSeconds() + " s", e)
                    : e;
        } finally {
            if (!opened) {
                get.close();
            }
        }
    }

    private static void limit(EventGet get, AtomicReference<Wait> wait) {
        if (get.pause(ENDPOINT_WAIT) && wait.compareAndSet(Wait.LASTS, Wait.TOO_LONG)) {
            get.stop();
        }
    }

    /** Waits for the first event. */
    private URI endpoint(EventGet get, AtomicReference<Wait> wait) throws IOException {
        EventGet.Event first = get.next();
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
                            + connection.place()
                            + " names an endpoint of another origin, "
                            + endpoint.getScheme()
                            + "://"
                            + endpoint.getRawAuthority());
        }
        return endpoint;
    }

    /**
     * Resolves by RFC 3986 also where {@link URI#resolve} does not: a base or reference without a
     * path.
     */
    private URI resolve(URI reference) {
        URI base = connection.uri();
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
        URI own = connection.uri();
        return own.getScheme().equalsIgnoreCase(other.getScheme())
                && own.getHost().equalsIgnoreCase(other.getHost())
                && port(own) == port(other)
                && other.getRawUserInfo() == null;
    }

    /** The port of a URL, which may be the usual one of its scheme. */
    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }

    private void follow(EventGet get) {
        try (get) {
            for (EventGet.Event event = get.next(); event != null; event = get.next()) {
                if (event.type().equals("message") && event.data().length > 0) {
                    connection.received(event.data());
                }
            }
            connection.lost(lost("ended", null));
        } catch (IOException e) {
            connection.lost(lost("broke off: " + e.getMessage(), e));
        } catch (RuntimeException | Error e) { // our own mistake
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    connection.place(),
                    e,
                    "Stopped listening to {0}",
                    connection.place());
            connection.lost(lost("could not be read on", e));
        }
    }

    private ConnectionException lost(String how, @Nullable Throwable cause) {
        return new ConnectionException(
                "the connection to "
                        + connection.place()
                        + " was lost: its stream of events "
                        + how,
                cause);
    }
}
