package dev.fairlead.protocol;

import java.util.Locale;
import java.util.Objects;

/**
 * A request of revision 2026-07-28 that a server refused because of its {@code requestState}. The
 * client gets the same error for every cause.
 *
 * @param method the method of the request, such as {@code tools/call}
 * @param cause the cause, for logs and metrics
 */
public record RequestStateRefusal(String method, Cause cause) {
    /** The cause of a refused state. More causes may be added. */
    public enum Cause {
        /** The text is not a state in its canonical encoding. */
        MALFORMED,
        /** The text is longer than a state may be. */
        TOO_LONG,
        /** The state was sealed by a key that this server does not have. */
        UNKNOWN_KEY,
        /**
         * The state was altered, or sealed for another caller, method, target, arguments or server.
         */
        MISMATCH,
        /** The state was sealed too long ago. */
        EXPIRED,
        /** The state was sealed in the future: the clocks of two servers differ. */
        NOT_YET_VALID;

        /** Returns the name in logs and metrics, such as {@code unknown_key}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public RequestStateRefusal {
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(cause, "cause");
    }
}
