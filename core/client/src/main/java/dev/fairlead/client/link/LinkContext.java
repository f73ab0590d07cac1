package dev.fairlead.client.link;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

/** The parts of a client that its links share, one after the other. */
public interface LinkContext {
    ClientSettings settings();

    Timers timers();

    InputAnswers inputs();

    ToolDefinitions tools();

    ResponseCache cache();

    /** Returns the identity of the server for the limit of log lines. */
    Object peer();

    /** Returns the log of the faults of the server, which is the same for all links. */
    Omissions omissions(Implementation server);

    /**
     * Returns the least severe log messages that each request asks for since revision 2026-07-28;
     * null for none.
     */
    @Nullable LoggingLevel level();

    /**
     * Reads the definition of a tool again, which is out of date.
     *
     * @param seen the version of the definitions by which the call was sent
     * @param options of the call that the reading belongs to
     */
    void readDefinition(String tool, long seen, CallOptions options) throws InterruptedException;

    /** Returns the changes that are wanted now, as far as the server offers them. */
    NotificationFilter wantedChanges(ServerCapabilities server);

    /** Reports changes that may have been missed between two streams. Returns at once. */
    void missedChanges(NotificationFilter granted);

    /** Receives the changes that a stream grants, and those of the one before. Returns at once. */
    void changesGranted(NotificationFilter granted, NotificationFilter before);

    /** Returns whether there was a link before, so that changes were missed since. */
    boolean hasConnected();
}
