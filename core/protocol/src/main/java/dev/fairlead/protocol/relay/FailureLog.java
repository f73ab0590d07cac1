package dev.fairlead.protocol.relay;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Logs failures on threads that live as long as a server. Logging allocates: after an {@link
 * OutOfMemoryError} it may fail with the next one, which must not end such a thread.
 */
public final class FailureLog {
    private FailureLog() {}

    /** Logs a failure, or does nothing if that fails as well. */
    public static void log(Logger logger, Level level, String message, Throwable cause) {
        try {
            logger.log(level, message, cause);
        } catch (Throwable e) {
            // there is no other place to report it
        }
    }
}
