package dev.fairlead.cli.view;

import java.time.Duration;

/** Spans of time as people read them. */
final class Ages {
    private Ages() {}

    /**
     * Formats a span such as {@code 0 s}, {@code 59 s}, {@code 3 min}, {@code 23 h} or {@code 400
     * d}.
     */
    static String of(Duration span) {
        if (span.compareTo(Duration.ofMinutes(1)) < 0) {
            return Math.max(0, span.toSeconds()) + " s";
        }
        if (span.compareTo(Duration.ofHours(1)) < 0) {
            return span.toMinutes() + " min";
        }
        return span.compareTo(Duration.ofDays(1)) < 0
                ? span.toHours() + " h"
                : span.toDays() + " d";
    }
}
