package dev.fairlead.protocol.base;

import org.jspecify.annotations.Nullable;

/**
 * How far a request has come.
 *
 * @param progress rises with every report of the same request
 * @param total what {@code progress} will be at the end; null where that is unknown
 * @param message a text for people; null where there is none
 */
public record Progress(double progress, @Nullable Double total, @Nullable String message) {}
