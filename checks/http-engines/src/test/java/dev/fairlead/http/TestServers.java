package dev.fairlead.http;

import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Timers;

import java.io.IOException;
import java.time.Duration;

/** Servers with settings for tests only. */
public final class TestServers {
    private TestServers() {}

    /** Serves a port by a clock that the test moves. */
    public static HttpServing serve(HttpListener listener, SessionHost host, Timers timers)
            throws IOException {
        return listener.serve(host, timers);
    }

    /** Sets how long the last may take to be written when the grace of a server is over. */
    public static HttpListener farewell(HttpListener listener, Duration time) {
        HttpListener copy = listener.retry(listener.settings.retry);
        copy.settings.farewell = time;
        return copy;
    }
}
