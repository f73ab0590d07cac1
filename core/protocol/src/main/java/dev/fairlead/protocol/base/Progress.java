package dev.fairlead.protocol.base;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a request.
 *
 * @param progress rises with every report of the same request
 * @param total the value of {@code progress} at the end; null if unknown
 * @param message a text for people; null where there is none
 */
public record Progress(double progress, @Nullable Double total, @Nullable String message) {}
