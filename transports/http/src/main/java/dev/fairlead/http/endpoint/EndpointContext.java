package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.stream.StreamWriters;
import dev.fairlead.http.stream.WaitingBytes;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Timers;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The common parts of the endpoints of one {@link dev.fairlead.http.HttpMount}, so that its bounds
 * hold for all of them.
 *
 * @param host the server that they serve
 * @param clock how time passes in this process; never set
 * @param wallClock the time of day, by which stores may count; can be set at any time
 * @param guard which origins and hosts are allowed
 * @param rates how often requests may come
 * @param admission determines callers
 * @param bodies reads bodies
 * @param requests how many requests may be under way
 * @param open the exchanges under way
 * @param waiting the bytes that clients have not read
 * @param writers the streams that are connected
 * @param sessions how many sessions there may be
 * @param counters count events
 */
public record EndpointContext(
        Settings settings,
        SessionHost host,
        InstantSource clock,
        InstantSource wallClock,
        Guard guard,
        Rates rates,
        Admission admission,
        RequestBodyReader bodies,
        RequestPermits requests,
        OpenExchanges open,
        WaitingBytes waiting,
        StreamWriters writers,
        SessionPermits sessions,
        Counters counters) {

    public static EndpointContext of(Settings given, SessionHost host, Timers timers) {
        Settings settings = servedBy(host, given);
        Rates rates = new Rates(settings, timers::nanoTime);
        Counters counters = new Counters(host, timers::nanoTime);
        InstantSource clock = passingTime(timers);
        RequestPermits requests = new RequestPermits(settings);
        return new EndpointContext(
                settings,
                host,
                clock,
                timers.clock(),
                new Guard(settings.allowOrigins, settings.allowHosts),
                rates,
                new Admission(settings, rates, counters, timers::nanoTime),
                new RequestBodyReader(settings, requests, timers::nanoTime),
                requests,
                new OpenExchanges(),
                new WaitingBytes(settings.maxAnswerSum),
                new StreamWriters(settings.retry, settings.heartbeat, clock, timers),
                new SessionPermits(settings.maxSessions),
                counters);
    }

    private static Settings servedBy(SessionHost host, Settings given) {
        HttpAuthorization authorization = given.authorization;
        return authorization == null
                ? given
                : given.with(copy -> copy.authorization = authorization.servedBy(host));
    }

    /** Returns whether the endpoint keeps sessions for a revision that is served. */
    public boolean hasSessions() {
        return !settings.stateless
                && host.revisions().stream().anyMatch(revision -> revision.era() == Era.HANDSHAKE);
    }

    /**
     * Shows how much time has passed in this process, beginning with the time of day: the clock of
     * the system may be set meanwhile, which ends no session and no wait.
     */
    private static InstantSource passingTime(Timers timers) {
        Instant start = timers.clock().instant();
        long startNanos = timers.nanoTime();
        return () -> start.plusNanos(timers.nanoTime() - startNanos);
    }
}
