package dev.fairlead.http.options;

import java.util.Map;

/**
 * Figures of an endpoint at one moment; reading them is cheap. Figures that are {@code long} only
 * grow, and count from the start of the endpoint; the others go up and down. More figures may be
 * added: read the components by their names.
 *
 * @param draining whether the endpoint is being closed: it finishes the requests under way, and
 *     takes no new ones
 * @param sessions how many sessions are open
 * @param streams how many streams of events have a connection now, answers among them
 * @param requests how many requests of clients are under way
 * @param sessionsOpened how many sessions clients have opened, or continued after a restart
 * @param requestsTaken how many requests were taken
 * @param requestsRefused how many HTTP requests were answered with 503 or 429, since some bound was
 *     reached, the endpoint is being closed or a store fails
 * @param messagesDropped how many messages were dropped: no client was connected to receive them,
 *     and there was no room or no store to keep them
 * @param forwarded how many requests were forwarded to other nodes of the server
 * @param refusals how many HTTP requests were refused for each reason, also for those that never
 *     occurred
 */
public record HttpMetrics(
        boolean draining,
        int sessions,
        int streams,
        int requests,
        long sessionsOpened,
        long requestsTaken,
        long requestsRefused,
        long messagesDropped,
        long forwarded,
        Map<RefusalReason, Long> refusals) {
    public HttpMetrics {
        refusals = Map.copyOf(refusals);
    }
}
