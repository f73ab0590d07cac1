package dev.fairlead.peer.builder;

import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * The superclass of builders with options that their public API does not show. They are read and
 * set through {@link Internals}. A superclass, because a builder can hide its fields from users but
 * not the methods by which other modules would reach them.
 */
public abstract class InternalOptions {
    @Nullable Supplier<Timers> timers;
    boolean replaying;
    @Nullable String member;

    protected InternalOptions() {}
}
