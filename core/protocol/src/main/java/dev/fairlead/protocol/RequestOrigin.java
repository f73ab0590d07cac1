package dev.fairlead.protocol;

import java.util.Objects;

/**
 * The origin of a request without a session.
 *
 * @param owner the owner of the things that the request creates if its caller is anonymous; see
 *     {@link Owner#of}
 * @param peerKey identifies the peer of an anonymous caller for limits; see {@link
 *     SessionContext#peerKey}
 * @param transport the name of the transport for logs
 */
public record RequestOrigin(Owner owner, Object peerKey, String transport) {
    public RequestOrigin {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(peerKey, "peerKey");
        Objects.requireNonNull(transport, "transport");
    }

    /** Returns the origin of the requests of one pipe. */
    public static RequestOrigin of(SessionContext context) {
        return new RequestOrigin(context.owner(), context.peerKey(), context.transport());
    }
}
