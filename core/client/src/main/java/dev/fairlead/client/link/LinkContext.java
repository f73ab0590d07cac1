package dev.fairlead.client.link;

import dev.fairlead.client.changes.WatchedResources;
import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The parts and the state of a client that its links share, one after the other.
 *
 * @param peer identifies the server for the limit of log lines
 * @param level of log messages that the user has set; null for none
 */
public record LinkContext(
        ClientSettings settings,
        Timers timers,
        Object peer,
        ToolDefinitions tools,
        ResponseCache cache,
        WatchedResources resources,
        InputAnswers inputs,
        AtomicReference<@Nullable LoggingLevel> level,
        LinkClient client) {
    /** Returns the options of a request of the client itself. */
    public CallOptions defaults() {
        return new CallOptions(settings.requestTimeout, settings.maxTotalTimeout);
    }

    /**
     * Returns the least severe log messages that each request asks for since revision 2026-07-28;
     * null for none. A client that listens to them gets those of level {@code info} by default.
     */
    @Nullable LoggingLevel wantedLevel() {
        LoggingLevel wanted = level.get();
        return wanted == null && settings.onLog != null ? LoggingLevel.INFO : wanted;
    }
}
