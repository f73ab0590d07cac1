package dev.fairlead.protocol;

import java.util.Objects;

/**
 * A request that a transport refused before any session or handler saw it.
 *
 * @param transport the name of the transport, such as {@code http}
 * @param reason the reason from a small set, such as {@code session_limit}; fit for a label of a
 *     metric
 * @param status the HTTP status of the response
 */
public record RequestRefusal(String transport, String reason, int status) {
    public RequestRefusal {
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(reason, "reason");
    }
}
