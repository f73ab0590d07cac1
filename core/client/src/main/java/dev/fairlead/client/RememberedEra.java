package dev.fairlead.client;

import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Optional;

/**
 * What is remembered of the era of one server: by this process for its place, and by the {@link
 * EraMemory} of the client if it has one. A client that speaks a single era remembers nothing.
 */
final class RememberedEra {
    private static final System.Logger LOGGER = System.getLogger(RememberedEra.class.getName());

    private final Optional<Object> place;
    private final @Nullable EraMemory memory;
    private final boolean speaksBoth;
    private final Timers timers;

    RememberedEra(ClientSettings settings, Remote remote, Timers timers) {
        this.place = remote.place();
        this.memory = settings.eraMemory;
        this.speaksBoth = settings.speaks(Era.PER_REQUEST) && settings.speaks(Era.HANDSHAKE);
        this.timers = timers;
    }

    /** Whether the client speaks both eras, so that it has to find out that of its server. */
    boolean isToBeFoundOut() {
        return speaksBoth;
    }

    /** Returns what is known of the server; null for nothing. */
    KnownServers.@Nullable Verdict known() {
        if (!speaksBoth) {
            return null;
        }
        return place.flatMap(of -> KnownServers.SHARED.find(of, timers.clock().instant()))
                .or(this::kept)
                .orElse(null);
    }

    private Optional<KnownServers.Verdict> kept() {
        if (memory == null) {
            return Optional.empty();
        }
        try {
            return memory.find().map(RememberedEra::verdict);
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "The era of the server could not be looked up", e);
            return Optional.empty();
        }
    }

    private static KnownServers.Verdict verdict(Era era) {
        return era == Era.HANDSHAKE
                ? new KnownServers.Verdict.Handshake(Instant.MAX)
                : new KnownServers.Verdict.Undeclared();
    }

    /**
     * Remembers what was agreed on with the server, so far as it was found out by asking.
     *
     * @param expected what was known before; null for nothing
     */
    void remember(Agreed found, KnownServers.@Nullable Verdict expected) {
        if (!speaksBoth) {
            return;
        }
        if (expected == null || expected instanceof KnownServers.Verdict.Undeclared) {
            place.ifPresent(
                    of -> KnownServers.SHARED.remember(of, found, timers.clock().instant()));
        }
        Era era = found.revision().era();
        if (memory != null && (expected == null || expected.era() != era)) {
            change(() -> memory.keep(era));
        }
    }

    /** Forgets what is remembered, since the server no longer behaves so. */
    void forget() {
        place.ifPresent(KnownServers.SHARED::forget);
        if (memory != null) {
            change(memory::forget);
        }
    }

    /** A memory that fails, such as a file on a full disk, must not fail the call that needs it. */
    private static void change(Runnable change) {
        try {
            change.run();
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "The era of the server could not be kept", e);
        }
    }
}
