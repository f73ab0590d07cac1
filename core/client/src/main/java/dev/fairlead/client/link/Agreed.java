package dev.fairlead.client.link;

import dev.fairlead.peer.PeerSession;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.InitializeResult;

/**
 * The agreement of a client and its server.
 *
 * @param face writes and reads the revision
 * @param server the declaration of the server, by {@code initialize} or by {@code server/discover}
 */
public record Agreed(WireFace face, InitializeResult server) implements PeerSession.Negotiated {
    public Revision revision() {
        return face.revision();
    }
}
