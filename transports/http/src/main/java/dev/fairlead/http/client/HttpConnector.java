package dev.fairlead.http.client;

import dev.fairlead.http.blocking.HeaderFields;
import dev.fairlead.http.internal.TrustedCertificates;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.options.Checks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import javax.net.ssl.SSLContext;

/**
 * A server behind Streamable HTTP, and how to talk to it. Immutable: each option gives a changed
 * copy.
 *
 * <p>Every message is a POST of its own; the answer is taken as JSON or as an event stream,
 * whichever the server chose. A stream that breaks is resumed after the last event that was seen,
 * without sending the request again. One redirect is followed: with status 307 or 308 to the same
 * URL with another slash at the end of its path; any other fails the request with the place that it
 * names. Where the server ends a session, the request that found out fails with {@link
 * dev.fairlead.protocol.SessionExpiredException}.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/transports Transports
 */
public final class HttpConnector implements Remote {
    private final ConnectorOptions options;

    private HttpConnector(ConnectorOptions options) {
        this.options = options;
    }

    /**
     * The way to the server whose MCP endpoint is at this address.
     *
     * @throws IllegalArgumentException if it is not an absolute {@code http} or {@code https} URL,
     *     its port is not from 1 to 65535, or it has a fragment or user information
     */
    public static HttpConnector to(URI endpoint) {
        String scheme =
                endpoint.getScheme() == null ? "" : endpoint.getScheme().toLowerCase(Locale.ROOT);
        boolean isWeb = scheme.equals("http") || scheme.equals("https");
        if (isWeb && endpoint.getHost() == null && endpoint.getRawAuthority() != null) {
            throw new IllegalArgumentException(
                    "the host of an MCP endpoint must be an address, or a name of letters, digits,"
                            + " hyphens and dots, with no underscore, and its port a number");
        }
        if (!isWeb || endpoint.getHost() == null) {
            throw new IllegalArgumentException(
                    "an MCP endpoint must be an absolute http or https URL, such as"
                            + " http://127.0.0.1:3000/mcp");
        }
        int port = endpoint.getPort(); // -1 where the scheme decides
        if (port == 0 || port > 65_535) {
            throw new IllegalArgumentException(
                    "the port of an MCP endpoint must be from 1 to 65535 but was " + port);
        }
        if (endpoint.getRawFragment() != null || endpoint.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "the URL of an MCP endpoint must have no fragment and no user information");
        }
        return new HttpConnector(new ConnectorOptions(endpoint));
    }

    private HttpConnector changed(Consumer<ConnectorOptions> change) {
        return new HttpConnector(options.with(change));
    }

    /** Returns the URL of the server. */
    public URI endpoint() {
        return options.endpoint;
    }

    /**
     * Sends a header with every HTTP request; a second value for the same name takes the place of
     * the first.
     *
     * @throws IllegalArgumentException if the header cannot be sent, or is one that the protocol
     *     sets
     */
    public HttpConnector header(String name, String value) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(options.headers);
        headers.put(name, value);
        checkHeader(name, value);
        return changed(copy -> copy.headers = Collections.unmodifiableMap(headers));
    }

    private static void checkHeader(String name, String value) {
        if (HttpRequests.isReserved(name)) {
            throw new IllegalArgumentException("the header " + name + " is set by the protocol");
        }
        HttpRequests.setChosen(new HeaderFields(), name, value);
    }

    /**
     * Asks for headers before every HTTP request, such as a token that changes. Called on the
     * threads of the connection, by several at once; may block. An exception fails the request. Its
     * headers take the place of those of {@link #header}; those that the protocol sets are left
     * out.
     */
    public HttpConnector headers(Supplier<Map<String, String>> headers) {
        return changed(copy -> copy.requestHeaders = Objects.requireNonNull(headers, "headers"));
    }

    /** Sets how long a TCP connection may take to be made; 10 seconds by default. */
    public HttpConnector connectTimeout(Duration timeout) {
        return changed(copy -> copy.connectTimeout = Checks.positive(timeout, "connectTimeout"));
    }

    /**
     * Trusts the certificates in a PEM file, and no others, in place of those that the JVM trusts:
     * that of the server, or of the authority that has issued it. The file is read now.
     *
     * @throws IOException if it cannot be read or has no certificate; the message names it
     */
    public HttpConnector trust(Path certificates) throws IOException {
        return tls(TrustedCertificates.trusting(certificates));
    }

    /**
     * Uses this context for HTTPS: the certificates to trust, and the key and certificate of the
     * client. By default that of the JVM.
     */
    public HttpConnector tls(SSLContext context) {
        return changed(copy -> copy.tls = Objects.requireNonNull(context, "context"));
    }

    /** Connects from this address of the machine; by default the system chooses one. */
    public HttpConnector localAddress(InetAddress address) {
        return changed(copy -> copy.localAddress = Objects.requireNonNull(address, "address"));
    }

    /**
     * Chooses the proxy of requests; by default {@link Proxies#system}: by the properties of the
     * JVM and the environment.
     */
    public HttpConnector proxies(Proxies proxies) {
        return changed(copy -> copy.proxies = Objects.requireNonNull(proxies, "proxies"));
    }

    /**
     * The largest message that is taken from the server, in bytes, as JSON or as an event; by
     * default 64 MiB, or a sixteenth of the heap where that is less, but at least 1 MiB. A message
     * may take several times as much memory while it is read.
     */
    public HttpConnector maxMessageSize(int bytes) {
        return changed(copy -> copy.maxMessageSize = Checks.positive(bytes, "maxMessageSize"));
    }

    /**
     * Sets how a broken stream is resumed: the wait that the server named, else {@code firstDelay},
     * which doubles with every failure in a row up to {@code longestDelay}. By default 10 attempts,
     * from half a second up to 30 seconds.
     *
     * @param attempts after how many failures in a row a request fails; 0 to resume nothing. The
     *     stream for messages that belong to no request is reconnected as long as the connection is
     *     open
     */
    public HttpConnector reconnect(int attempts, Duration firstDelay, Duration longestDelay) {
        return changed(
                copy -> copy.reconnection = new Reconnection(attempts, firstDelay, longestDelay));
    }

    /**
     * Sets whether to open a stream by GET once the session is initialized, for messages that
     * belong to no request; true by default. If the server has no such stream, there is no other
     * attempt.
     */
    public HttpConnector listening(boolean listening) {
        return changed(copy -> copy.listening = listening);
    }

    /**
     * Speaks HTTP+SSE of revision 2024-11-05 from the start; the URL is that of the server's stream
     * of events, such as {@code https://weather.example/sse}. Without this option that is found
     * out: where the server answers the first POST with 400, 404 or 405, a GET of the same URL asks
     * for that stream, and the place that it names is used from then on. The place that the stream
     * names must be of the same origin. There is no resumption: where the stream ends, the
     * connection is lost. Needs the artifact {@code fairlead-http-legacy}, which {@code fairlead}
     * brings; without it the connection is lost at the first message, and nothing is found out.
     *
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/transports Transports
     */
    public HttpConnector legacySse() {
        return changed(copy -> copy.legacySse = true);
    }

    /**
     * Has every request authorized by this; it may keep a request waiting for as long as a person
     * needs to log in, without the time of the request running out. Its headers take the place of
     * all others.
     *
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
     *     Authorization
     */
    public HttpConnector authorization(ClientAuthorization authorization) {
        Objects.requireNonNull(authorization, "authorization");
        return changed(copy -> copy.authorization = authorization);
    }

    /** Sets the grace periods; {@link GracePeriods#DEFAULT} by default. */
    HttpConnector gracePeriods(GracePeriods periods) {
        return changed(copy -> copy.gracePeriods = periods);
    }

    /** Sets the resolver of host names; that of the JVM by default. */
    HttpConnector resolver(ConnectorOptions.Resolver resolver) {
        return changed(copy -> copy.resolver = resolver);
    }

    /** Changes the length of pauses; they are unchanged by default. */
    HttpConnector pauses(UnaryOperator<Duration> pauses) {
        return changed(copy -> copy.pauses = pauses);
    }

    /** Opens the client's side; the server is first contacted when a message is sent. */
    @Override
    public Link connect(SessionHost host) {
        return new HttpConnection(options, Objects.requireNonNull(host, "host"));
    }

    /** {@inheritDoc} Connectors with the same URL, headers and authorization have equal places. */
    @Override
    public Optional<Object> place() {
        return Optional.of(
                new Place(
                        options.endpoint,
                        options.headers,
                        options.requestHeaders,
                        Optional.ofNullable(options.authorization),
                        Optional.ofNullable(options.tls),
                        options.legacySse));
    }

    /** Suppliers, authorization and TLS are compared as they are. */
    private record Place(
            URI endpoint,
            Map<String, String> headers,
            Supplier<Map<String, String>> requestHeaders,
            Optional<ClientAuthorization> authorization,
            Optional<SSLContext> tls,
            boolean legacySse) {}

    /** Returns the URL of the server, without its query. */
    @Override
    public String toString() {
        return options.place();
    }
}
