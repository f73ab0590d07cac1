package dev.fairlead.protocol;

import java.util.Locale;
import java.util.Objects;

/**
 * A request of revision 2026-07-28 that a server refused because of its {@code requestState}. The
 * client gets the same error for every cause.
 *
 * @param method of the request, such as {@code tools/call}
 * @param cause for logs and metrics
 */
public record RequestStateRefusal(String method, Cause cause) {
    /** Why a state is refused. More causes may be added. */
    public enum Cause {
        /** Not a state in the one spelling that it has. */
        MALFORMED,
        /** Longer than a state may be. */
        TOO_LONG,
        /** Sealed by a key that this server does not have. */
        UNKNOWN_KEY,
        /** Altered, or sealed for another caller, method, target, arguments or server. */
        MISMATCH,
        /** Sealed too long ago. */
        EXPIRED,
        /** Sealed in the future: the clocks of two servers differ. */
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
