package dev.fairlead.http;

import dev.fairlead.http.options.Peers;
import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.HttpEngine;
import dev.fairlead.http.spi.Route;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** The port on which other nodes reach this one. */
final class PeerPort implements AutoCloseable {
    /** How long a connection waits for its next request: longer than nodes keep it. */
    private static final Duration IDLE = Duration.ofMinutes(1);

    /** Connections for health checks and attempts beside those that forward. */
    private static final int MORE_CONNECTIONS = 1_000;

    private final HttpEngine.Listening listening;
    private final String address;

    private PeerPort(HttpEngine.Listening listening, String address) {
        this.listening = listening;
        this.address = address;
    }

    /**
     * Opens the port.
     *
     * @throws UncheckedIOException if it cannot be bound
     */
    static PeerPort open(Peers peers, List<Route> routes) {
        EngineSettings settings =
                new EngineSettings(
                        peers.host(),
                        peers.port(),
                        IDLE,
                        null,
                        peers.maxForwarded() * 2 + MORE_CONNECTIONS,
                        EngineSettings.Http2.OFF,
                        0);
        HttpEngine engine =
                HttpEngines.all().stream()
                        .filter(each -> each.serves(settings))
                        .max(Comparator.comparingInt(HttpEngine::priority))
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "there is no HTTP engine for the port of"
                                                        + " HttpOptions.peers: add"
                                                        + " fairlead-http-loop"));
        try {
            HttpEngine.Listening listening = engine.listen(settings, routes);
            return new PeerPort(listening, peers.address(listening.port()));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Returns the address that other nodes connect to. */
    String address() {
        return address;
    }

    /** Answers the requests that have come, none of which is this node's any more, and ends. */
    @Override
    public void close() {
        try {
            listening.stopAccepting(HttpEngine.Listening.FIRST_REQUEST);
            listening.awaitAnswered(HttpEngine.Listening.FIRST_REQUEST);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            listening.close();
        }
    }
}
