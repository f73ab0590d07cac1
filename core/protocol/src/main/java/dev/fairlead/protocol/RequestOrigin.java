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
 * @param node the node to which others forward the next round of a call that waits here; 0 if none
 *     does
 */
public record RequestOrigin(Owner owner, Object peerKey, String transport, long node) {
    public RequestOrigin {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(peerKey, "peerKey");
        Objects.requireNonNull(transport, "transport");
    }

    /** The origin of a request whose next round no other node forwards. */
    public RequestOrigin(Owner owner, Object peerKey, String transport) {
        this(owner, peerKey, transport, 0);
    }

    /** Returns the origin of the requests of one pipe. */
    public static RequestOrigin of(SessionContext context) {
        return new RequestOrigin(context.owner(), context.peerKey(), context.transport());
    }
}
