package dev.fairlead.http.spi;

import org.jspecify.annotations.Nullable;

import java.net.BindException;
import java.security.KeyStore;
import java.time.Duration;

/**
 * The settings with which an engine listens.
 *
 * @param host name or address to bind
 * @param port 0 takes a free one
 * @param clientTimeout how long a client may neither send nor take a byte: a read or write that
 *     makes no progress for so long fails, and a connection without a request is closed
 * @param tls null for plain HTTP
 * @param maxConnections how many connections may be open; one more waits to be accepted until
 *     another is closed
 * @param http2 where HTTP/2 is spoken
 * @param ioThreads how many threads wait for bytes of clients; 0 leaves the number to the engine
 */
public record EngineSettings(
        String host,
        int port,
        Duration clientTimeout,
        @Nullable Tls tls,
        int maxConnections,
        Http2 http2,
        int ioThreads) {
    /**
     * Returns the failure to bind the port: it names port and host and, if another program has the
     * port, the ways out.
     */
    public BindException cannotListen(Exception cause) {
        String message =
                "cannot listen on port " + port + " on " + host + ": " + cause.getMessage();
        if (String.valueOf(cause.getMessage()).contains("already in use")) {
            message +=
                    "; stop the program that has it (lsof -i :%s, on Windows netstat -ano, names it), or take a free port with port 0"
                            .formatted(port);
        }
        BindException failure = new BindException(message);
        failure.initCause(cause);
        return failure;
    }

    /** The use of HTTP/2 besides HTTP/1.1. */
    public enum Http2 {
        /** Nowhere. */
        OFF,
        /** HTTP/2 with TLS, if the client negotiates it by ALPN. */
        WITH_TLS,
        /**
         * HTTP/2 without TLS too, if the client begins with it or requests it by {@code Upgrade}.
         */
        ALWAYS
    }

    /**
     * The server's certificate.
     *
     * @param keys private key and certificate chain
     * @param password of the key
     */
    public record Tls(KeyStore keys, String password) {
        /** Contains no password. */
        @Override
        public String toString() {
            return "Tls";
        }
    }
}
