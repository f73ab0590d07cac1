package dev.fairlead.client.link;

import dev.fairlead.peer.PeerSession;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.InitializeResult;

/**
 * What a client and its server agreed on.
 *
 * @param face writes and reads the revision
 * @param server what the server declares, by {@code initialize} or by {@code server/discover}
 */
public record Agreed(WireFace face, InitializeResult server) implements PeerSession.Negotiated {
    public Revision revision() {
        return face.revision();
    }

    /** Returns whether requests say of themselves what the server must know, without a session. */
    public boolean isPerRequest() {
        return revision().era() == Era.PER_REQUEST;
    }
}
