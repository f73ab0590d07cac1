package dev.fairlead.protocol.time;

import java.math.BigDecimal;
import java.time.Duration;

/** Writes durations for messages. */
public final class Durations {
    /** The limit above which the milliseconds of a duration do not fit a {@code long}. */
    private static final long MOST_HOURS = Long.MAX_VALUE / 3_600_000;

    private Durations() {}

    /**
     * Returns the duration with its largest whole unit: {@code 500 ms}, {@code 30 s}, {@code 5
     * min}.
     */
    public static String text(Duration duration) {
        if (Math.abs(duration.toHours()) >= MOST_HOURS) {
            return duration.toHours() + " h";
        }
        long milliseconds = duration.toMillis();
        if (Math.abs(milliseconds) < 1_000) {
            return milliseconds + " ms";
        }
        if (milliseconds % 1_000 != 0) {
            return BigDecimal.valueOf(milliseconds, 3).stripTrailingZeros().toPlainString() + " s";
        }
        long seconds = duration.toSeconds();
        if (seconds % 3_600 == 0) {
            return seconds / 3_600 + " h";
        }
        return seconds % 60 == 0 && seconds != 60 ? seconds / 60 + " min" : seconds + " s";
    }
}
