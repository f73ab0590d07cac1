package dev.fairlead.http;

import dev.fairlead.http.HttpSessionListener.HttpSessionInfo;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;

import java.time.Instant;

/** A session that a {@link SessionRegistry} keeps. */
interface RegisteredSession extends SessionContext {
    /** What gives access to it. */
    String id();

    HttpSessionInfo info();

    /** What the host has made of it; called once, before it can be found. */
    void opened(Session opened);

    /** Whether nothing is under way, and has not been since the given time. */
    boolean isIdle(Instant since);

    /** Ends everything; called once. */
    void shutDown();
}
