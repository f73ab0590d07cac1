package dev.fairlead.http;

import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Timers;

import java.time.Clock;
import java.util.concurrent.Semaphore;

/**
 * What the endpoints of one {@link HttpMount} have together, so that its bounds hold for all of
 * them.
 *
 * @param host what they serve
 * @param guard who may come in
 * @param rates how often
 * @param admission who calls
 * @param intake reads bodies
 * @param open the exchanges under way
 * @param writers the streams that are connected
 * @param places one for each session that there may be
 * @param counters what has happened
 */
record Premises(
        Settings settings,
        SessionHost host,
        Clock clock,
        Guard guard,
        Rates rates,
        Admission admission,
        Intake intake,
        OpenExchanges open,
        Writers writers,
        Semaphore places,
        Counters counters) {

    static Premises of(Settings settings, SessionHost host, Timers timers) {
        Rates rates = new Rates(settings, timers::nanoTime);
        Counters counters = new Counters();
        return new Premises(
                settings,
                host,
                timers.clock(),
                new Guard(settings.allowOrigins, settings.allowHosts),
                rates,
                new Admission(settings, rates, counters, timers::nanoTime),
                new Intake(settings, timers::nanoTime),
                new OpenExchanges(settings.maxRequests),
                new Writers(settings, timers.clock()),
                new Semaphore(settings.maxSessions),
                counters);
    }
}
