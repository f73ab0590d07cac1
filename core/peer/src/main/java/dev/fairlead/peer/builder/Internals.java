package dev.fairlead.peer.builder;

import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/** Reads and sets the {@link InternalOptions} of a builder. */
public final class Internals {
    private Internals() {}

    /**
     * Sets where the builder gets timers from.
     *
     * @param source is called for each thing that is built, which closes the timers
     * @return the builder
     */
    public static <B extends InternalOptions> B withTimers(B builder, Supplier<Timers> source) {
        InternalOptions options = builder;
        options.timers = source;
        return builder;
    }

    /**
     * Returns timers for the server or client that is being built: those that were set, otherwise
     * the system's.
     *
     * @param system gives the system's
     */
    public static Timers timers(InternalOptions builder, Supplier<Timers> system) {
        Supplier<Timers> source = builder.timers;
        return source == null ? system.get() : source.get();
    }

    /**
     * Has the client leave a server that ended to its owner, which connects again by a new client.
     *
     * @param name the name of the server at the owner
     * @return the builder
     */
    public static <B extends InternalOptions> B memberOfGroup(B builder, String name) {
        InternalOptions options = builder;
        options.member = name;
        return builder;
    }

    /** Returns the name of the server in the group that owns the client; null without a group. */
    public static @Nullable String member(InternalOptions builder) {
        return builder.member;
    }

    /** Makes the bodies of tools start again after every answer. */
    public static void replay(InternalOptions builder) {
        builder.replaying = true;
    }

    /** Whether the bodies of tools start again after every answer. */
    public static boolean isReplaying(InternalOptions builder) {
        return builder.replaying;
    }
}
