package dev.fairlead.auth.fetch;

import java.io.IOException;

/**
 * A URL was not fetched, or its answer not used, because a rule forbids it. The message names the
 * rule, and of the URL no more than scheme and host.
 */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
        super(message);
    }
}
