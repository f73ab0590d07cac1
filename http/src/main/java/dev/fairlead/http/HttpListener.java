package dev.fairlead.http;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Tls;
import dev.fairlead.http.spi.HttpEngine;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.protocol.Endpoint;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.security.KeyStore;
import java.util.Objects;
import java.util.ServiceLoader;

/** A port on which a server is served by the embedded HTTP engine. Immutable. */
public final class HttpListener extends HttpOptions<HttpListener> implements Endpoint<HttpServing> {
    private final String host;
    private final int port;
    private final @Nullable Tls tls;

    HttpListener(int port) {
        this(new Settings(), "127.0.0.1", port, null);
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port is between 0 and 65535 but was " + port);
        }
    }

    private HttpListener(Settings settings, String host, int port, @Nullable Tls tls) {
        super(settings);
        this.host = host;
        this.port = port;
        this.tls = tls;
    }

    @Override
    HttpListener with(Settings changed) {
        return new HttpListener(changed, host, port, tls);
    }

    /**
     * The name or address to bind; {@code 127.0.0.1} by default, so that only programs on this
     * machine reach the server (HTTP-004). {@code 0.0.0.0} opens it to the network.
     */
    public HttpListener host(String name) {
        return new HttpListener(settings, Objects.requireNonNull(name, "name"), port, tls);
    }

    /**
     * Serves HTTPS.
     *
     * @param keys private key and certificate chain
     * @param password of the key
     */
    public HttpListener tls(KeyStore keys, String password) {
        return new HttpListener(settings, host, port, new Tls(keys, password));
    }

    /**
     * Binds the port and answers from then on.
     *
     * @throws java.net.BindException if the port is taken; the message names it
     * @throws IllegalStateException if there is no engine, which the module {@code
     *     fairlead-http-jetty} brings
     */
    @Override
    public HttpServing serve(SessionHost sessionHost) throws IOException {
        HttpEngine engine =
                ServiceLoader.load(HttpEngine.class, HttpListener.class.getClassLoader())
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "there is no HTTP engine: add"
                                                        + " fairlead-http-jetty"));
        HttpMount mount = new HttpMount(settings, sessionHost, Timers.system("mcp-http-timer"));
        try {
            var engineSettings = new EngineSettings(host, port, settings.clientTimeout, tls);
            Listening listening = engine.listen(engineSettings, mount.routes());
            return new HttpServing(mount, listening, tls == null ? "http" : "https", host);
        } catch (IOException | RuntimeException e) {
            mount.close();
            throw e;
        }
    }
}
