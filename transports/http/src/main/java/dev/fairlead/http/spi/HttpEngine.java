package dev.fairlead.http.spi;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * An HTTP server, found by {@link java.util.ServiceLoader}. An engine for TLS registers as {@link
 * TlsHttpEngine}.
 */
public interface HttpEngine {
    /**
     * The name by which {@link dev.fairlead.http.HttpListener#engine} chooses this engine, such as
     * {@code jetty}.
     */
    String name();

    /**
     * The order in which engines are asked whether they {@linkplain #serves serve} a port: those
     * with a higher number first. 0 by default.
     */
    default int priority() {
        return 0;
    }

    /** Returns whether this engine can serve a port with these settings. */
    boolean serves(EngineSettings settings);

    /**
     * Binds the port and serves the routes; any other path is answered with 404.
     *
     * @param settings which this engine {@linkplain #serves serves}
     * @throws java.net.BindException if the port is taken or the address is not one of this
     *     machine; the message names both
     * @throws IOException if it cannot start for another reason
     */
    Listening listen(EngineSettings settings, List<Route> routes) throws IOException;

    /** An engine at work. */
    interface Listening extends AutoCloseable {
        /** The time in which a client that has just connected sends its request. */
        Duration FIRST_REQUEST = Duration.ofSeconds(1);

        /** The port that is bound. */
        int port();

        /**
         * Takes no new connections; those that are open stay. An engine may take those that wait to
         * be accepted, and wait until the first request of each connection has come, since their
         * clients would lose these.
         *
         * @param limit of the time for which it waits; may be negative
         */
        void stopAccepting(Duration limit) throws InterruptedException;

        /**
         * Serves new connections with this certificate; open ones keep theirs.
         *
         * @throws IOException if it cannot be used; then all stays as it was
         */
        void renew(EngineSettings.Tls tls) throws IOException;

        /**
         * Waits until every request that has come is answered and the answer was handed to the
         * network, but not longer than this.
         *
         * @param limit may be negative
         */
        void awaitAnswered(Duration limit) throws InterruptedException;

        /** Ends all connections and frees the port; returns when that is done. */
        @Override
        void close();
    }
}
