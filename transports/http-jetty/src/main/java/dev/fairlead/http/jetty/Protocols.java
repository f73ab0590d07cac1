package dev.fairlead.http.jetty;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;

import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;

/** The protocols of a port, and the limits of one connection. */
final class Protocols {
    /**
     * Header fields that a connection of HTTP/1.1 has sent before are not remembered: that takes
     * 100 KiB for each connection, and most are silent streams.
     */
    private static final int NO_CACHE = 0;

    /** The most bytes of the head of a request. */
    private static final int HEAD = 8 << 10;

    /**
     * The most bytes of a head that a connection of HTTP/2 survives. Clients that share it, behind
     * a proxy, must not lose it by the head of another one.
     */
    private static final int FATAL_HEAD = 8 * HEAD;

    /** The size that each field counts besides its name and value: RFC 9113, 6.5.2. */
    private static final int FIELD = 32;

    /** How many requests a connection of HTTP/2 may have under way. */
    static final int STREAMS = 128;

    /**
     * How many frames a second a client may send that cost it nothing: resets of its own requests,
     * settings, pings, and empty or wrong frames. One more closes the connection.
     */
    private static final int IDLE_FRAMES = 256;

    /** How many bytes of bodies a connection of HTTP/2 may send before they are read. */
    private static final int WINDOW = 1 << 20;

    private final EngineSettings settings;
    private final HttpConfiguration configuration = new HttpConfiguration();
    private final boolean secure;

    Protocols(EngineSettings settings, boolean secure) {
        this.settings = settings;
        this.secure = secure;
        configuration.setSendServerVersion(false);
        configuration.setHeaderCacheSize(NO_CACHE);
        configuration.setRequestHeaderSize(HEAD);
    }

    /** Creates the factories of a port; a connection begins with the first. */
    ConnectionFactory[] factories() {
        HttpConnectionFactory http = new HttpConnectionFactory(configuration);
        if (secure && settings.http2() != Http2.OFF) {
            ALPNServerConnectionFactory choice = new ALPNServerConnectionFactory();
            choice.setDefaultProtocol(http.getProtocol());
            return new ConnectionFactory[] {
                choice, bounded(new HTTP2ServerConnectionFactory(http2())), http
            };
        }
        if (!secure && settings.http2() == Http2.ALWAYS) {
            return new ConnectionFactory[] {
                http, bounded(new HTTP2CServerConnectionFactory(http2()))
            };
        }
        return new ConnectionFactory[] {http};
    }

    private HttpConfiguration http2() {
        HttpConfiguration http2 = new HttpConfiguration(configuration);
        http2.setRequestHeaderSize(FATAL_HEAD);
        return http2;
    }

    /** Returns whether the head of a request is too large; of HTTP/1.1 such a one is none. */
    static boolean isTooLarge(Request request) {
        if (!JettyExchange.isHttp2(request)) {
            return false;
        }
        int size = request.getHttpURI().asString().length();
        for (HttpField field : request.getHeaders()) {
            String value = field.getValue();
            size += FIELD + field.getName().length() + (value == null ? 0 : value.length());
        }
        return size > HEAD;
    }

    private HTTP2ServerConnectionFactory bounded(HTTP2ServerConnectionFactory http2) {
        http2.setMaxConcurrentStreams(STREAMS);
        http2.setRateControlFactory(new WindowRateControl.Factory(IDLE_FRAMES));
        http2.setInitialSessionRecvWindow(WINDOW);
        http2.setConnectProtocolEnabled(false); // by which requests become other protocols
        http2.setStreamIdleTimeout(settings.clientTimeout().toMillis());
        return http2;
    }
}
