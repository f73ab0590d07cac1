package dev.fairlead.http;

import static dev.fairlead.protocol.options.Checks.positive;

import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.endpoint.GuardedConsole;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.internal.CertificateFiles;
import dev.fairlead.http.internal.CertificateWatch;
import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.EngineSettings.Tls;
import dev.fairlead.http.spi.HttpEngine;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.protocol.Endpoint;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A port on which a server is served by the embedded HTTP engine. Immutable. */
public final class HttpListener extends HttpOptions<HttpListener> implements Endpoint<HttpServing> {
    private final int number;
    private final PortSettings port;

    HttpListener(int number) {
        this(defaults(), number, new PortSettings());
        if (number < 0 || number > 65_535) {
            throw new IllegalArgumentException("a port is between 0 and 65535 but was " + number);
        }
    }

    private HttpListener(Settings settings, int number, PortSettings port) {
        super(settings);
        this.number = number;
        this.port = port;
    }

    @Override
    HttpListener with(Settings changed) {
        return new HttpListener(changed, number, port);
    }

    private HttpListener with(Consumer<PortSettings> change) {
        return new HttpListener(settings, number, port.with(change));
    }

    /**
     * The name or address to bind; {@code 127.0.0.1} by default, so that only programs on this
     * machine reach the server. {@code 0.0.0.0} opens it to the network.
     */
    public HttpListener host(String name) {
        return with(copy -> copy.host = Objects.requireNonNull(name, "name"));
    }

    /**
     * Serves HTTPS, by TLS 1.2 or 1.3.
     *
     * @param keys private key and certificate chain
     * @param password of the key
     */
    public HttpListener tls(KeyStore keys, String password) {
        Tls tls = new Tls(keys, password);
        return with(
                copy -> {
                    copy.keys = tls;
                    copy.certificates = null;
                });
    }

    /**
     * Serves HTTPS with a certificate and its key from PEM files, which may be the same file.
     *
     * <p>They are read when the port is opened, which fails if they cannot be used, and checked at
     * intervals afterwards ({@link #certificateCheck}): connections that are opened after both have
     * changed get the new certificate, and open ones keep the old one. Unusable files, such as one
     * that is half written or a key of another certificate, are logged, and the old certificate
     * stays.
     *
     * @param certificates the server's own certificate, and then those that issued it
     * @param key the private key of the first (RSA, EC or EdDSA) as PKCS#8, {@code PRIVATE KEY}
     */
    public HttpListener tls(Path certificates, Path key) {
        return tls(new CertificateFiles(certificates, key, null));
    }

    /**
     * The same with a key that is encrypted (PKCS#8, {@code ENCRYPTED PRIVATE KEY}).
     *
     * @param password of the key; a new key must have the same
     */
    public HttpListener tls(Path certificates, Path key, String password) {
        Objects.requireNonNull(password, "password");
        return tls(new CertificateFiles(certificates, key, password));
    }

    private HttpListener tls(CertificateFiles files) {
        return with(
                copy -> {
                    copy.certificates = files;
                    copy.keys = null;
                });
    }

    /**
     * Sets how often the files of {@link #tls(Path, Path)} are looked at; once a minute by default.
     *
     * @throws IllegalArgumentException if not positive
     */
    public HttpListener certificateCheck(Duration interval) {
        return with(copy -> copy.certificateCheck = positive(interval, "certificateCheck"));
    }

    /**
     * Speaks HTTP/2 without TLS too (h2c), with clients that begin with it or ask for it by {@code
     * Upgrade}; for a proxy that talks to the server in this way. By default it is spoken with TLS
     * alone, where a client asks for it.
     */
    public HttpListener http2WithoutTls() {
        return with(copy -> copy.http2 = Http2.ALWAYS);
    }

    /** Speaks nothing but HTTP/1.1. */
    public HttpListener withoutHttp2() {
        return with(copy -> copy.http2 = Http2.OFF);
    }

    /**
     * Sets how many connections may be open; 20,000 by default. One more waits until another is
     * closed, also one that asks for {@link #health}: the operating system holds those that wait,
     * and refuses them when there are more than it holds. A connection is closed when nothing is
     * asked on it for {@link #clientTimeout}, but one may be kept for ever by a client that asks
     * for something now and then.
     *
     * @throws IllegalArgumentException if not positive
     */
    public HttpListener maxConnections(int connections) {
        return with(copy -> copy.maxConnections = positive(connections, "maxConnections"));
    }

    /**
     * Serves the port with the engine of this name, such as {@code jetty}. By default the first
     * engine that can serve the port is taken, in the order of their {@linkplain
     * HttpEngine#priority priority}.
     */
    public HttpListener engine(String name) {
        return with(copy -> copy.engine = Objects.requireNonNull(name, "name"));
    }

    /**
     * Sets how many threads wait for bytes of clients; by default the engine decides. With the
     * engine {@code loop} these threads also run handlers that were quick lately, and are replaced
     * when one blocks; other handlers run on threads of their own.
     *
     * @throws IllegalArgumentException if not 1 to 256: more threads than processors serve no
     *     client sooner, and each has open files and buffers of its own
     */
    public HttpListener ioThreads(int threads) {
        if (threads < 1 || threads > PortSettings.MAX_IO_THREADS) {
            throw new IllegalArgumentException(
                    "ioThreads must be 1 to "
                            + PortSettings.MAX_IO_THREADS
                            + " but was "
                            + threads);
        }
        return with(copy -> copy.ioThreads = threads);
    }

    /**
     * Binds the port and answers from then on.
     *
     * @throws java.net.BindException if the port is taken; the message names it
     * @throws IOException if the files of {@link #tls(Path, Path)} cannot be used; the message
     *     names the file and its expected content
     * @throws IllegalStateException if no engine can serve the port, or not the one that {@link
     *     #engine} names; the modules {@code fairlead-http-jetty} and its like bring one
     */
    @Override
    public HttpServing serve(SessionHost sessionHost) throws IOException {
        return serve(sessionHost, Timers.system("mcp-http-timer"));
    }

    /** Serves with timers that the server closes; otherwise like {@link #serve(SessionHost)}. */
    HttpServing serve(SessionHost sessionHost, Timers timers) throws IOException {
        CertificateFiles files = port.certificates;
        CertificateFiles.Contents contents = files == null ? null : files.read();
        Tls tls = contents == null ? port.keys : contents.tls();
        EngineSettings engineSettings = engineSettings(tls);
        HttpEngine engine = engine(engineSettings);
        HttpMount mount = new HttpMount(settings, sessionHost, timers);
        try {
            Listening listening = engine.listen(engineSettings, mount.routesOfPort());
            if (contents != null) {
                new CertificateWatch(contents, port.certificateCheck, timers, listening).start();
            }
            return new HttpServing(mount, listening, tls == null ? "http" : "https", port);
        } catch (IOException | RuntimeException e) {
            mount.close();
            throw e;
        }
    }

    /**
     * Binds the port and serves the {@link #console console} alone, without an MCP endpoint.
     *
     * @throws java.net.BindException if the port is taken; the message names it
     * @throws IllegalStateException if there is no console or no engine that can serve the port
     */
    public ConsoleServing serveConsole() throws IOException {
        HttpConsole console = settings.console;
        if (console == null) {
            throw new IllegalStateException("there is no console: set HttpOptions.console");
        }
        Tls tls = port.certificates == null ? port.keys : port.certificates.read().tls();
        EngineSettings engineSettings = engineSettings(tls);
        HttpEngine engine = engine(engineSettings);
        HttpConsole.Mounted mounted = console.mount(null);
        try {
            Listening listening =
                    engine.listen(engineSettings, GuardedConsole.of(mounted, settings));
            return new ConsoleServing(
                    mounted,
                    listening,
                    HttpServing.uri(
                            tls == null ? "http" : "https",
                            port.host,
                            listening.port(),
                            console.paths().get(0)));
        } catch (IOException | RuntimeException e) {
            mounted.close();
            throw e;
        }
    }

    private EngineSettings engineSettings(@Nullable Tls tls) {
        return new EngineSettings(
                port.host,
                number,
                settings.clientTimeout,
                tls,
                port.maxConnections,
                port.http2,
                port.ioThreads);
    }

    private HttpEngine engine(EngineSettings needed) {
        List<HttpEngine> engines =
                HttpEngines.all().stream()
                        .filter(engine -> port.engine == null || engine.name().equals(port.engine))
                        .toList();
        if (engines.isEmpty()) {
            throw new IllegalStateException(
                    (port.engine == null
                                    ? "there is no HTTP engine: add fairlead-http-jetty"
                                    : "there is no HTTP engine '"
                                            + port.engine
                                            + "': add its module")
                            + HttpEngines.IN_ONE_JAR);
        }
        return engines.stream()
                .filter(engine -> engine.serves(needed))
                .max(Comparator.comparingInt(HttpEngine::priority))
                .orElseThrow(() -> notServed(engines));
    }

    private static IllegalStateException notServed(List<HttpEngine> engines) {
        String names = engines.stream().map(HttpEngine::name).collect(Collectors.joining(", "));
        return new IllegalStateException(
                "TLS and HTTP/2 are not served by the HTTP engine "
                        + names
                        + ": add fairlead-http-jetty, or leave HttpListener.engine out"
                        + HttpEngines.IN_ONE_JAR);
    }
}
