package dev.fairlead.http.blocking;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.SSLContext;

/** The ways on which a client connects. Safe for use by several threads. */
public interface Routes {
    /** The limit for a TCP connection, and once more for a tunnel and the handshake of TLS. */
    Duration timeout();

    /** Returns the address of this machine to connect from; null for any. */
    default @Nullable InetAddress localAddress() {
        return null;
    }

    /**
     * Returns the proxy of requests to this URL; null for none.
     *
     * @throws ConnectException if there is one that cannot be used
     */
    @Nullable Via proxy(URI uri) throws ConnectException;

    /** Returns the addresses of a host, which are tried in this order. May block. */
    List<InetAddress> addresses(String host) throws UnknownHostException;

    /** Reports that a connection to this address is about to be made; does nothing by default. */
    default void connecting(InetAddress address) {}

    /** Returns the context of TLS; by default that of the JVM. */
    default SSLContext tls() throws IOException {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IOException("this JVM has no TLS", e);
        }
    }
}
