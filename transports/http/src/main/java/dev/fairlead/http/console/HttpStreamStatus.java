package dev.fairlead.http.console;

import java.time.Instant;

/**
 * A stream of events of a session at one moment, for operators.
 *
 * @param name the name within its session
 * @param kind {@code GET}, or {@code SSE} for HTTP+SSE
 * @param begun the time when this process opened it
 * @param connected whether its client is connected
 * @param resumable whether a store keeps its events for a client that returns
 * @param sent how many events were passed to a connection
 * @param waiting how many events in memory wait for a connection
 */
public record HttpStreamStatus(
        String name,
        String kind,
        Instant begun,
        boolean connected,
        boolean resumable,
        long sent,
        int waiting) {}
