package dev.fairlead.server.lifecycle;

import dev.fairlead.peer.PeerSession;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;

import org.jspecify.annotations.Nullable;

/**
 * The result of the negotiation of client and server.
 *
 * @param client null where there was no handshake
 * @param declared the capabilities that the server declared; null where there was no handshake
 */
public record NegotiatedSession(
        WireFace face,
        ClientCapabilities capabilities,
        @Nullable Implementation client,
        @Nullable ServerCapabilities declared)
        implements PeerSession.Negotiated {

    /** Returns the result without a handshake: only the revision is known. */
    static NegotiatedSession assumed(Revision revision) {
        return new NegotiatedSession(
                HandshakeFace.of(revision), ClientCapabilities.NONE, null, null);
    }
}
