package dev.fairlead.server.lifecycle;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.McpErrorCode;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The revisions that a server serves: one list for {@code server/discover} and for every refusal.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning Versioning
 */
public final class ServedRevisions {
    private final Set<Revision> revisions;
    private final boolean haveSessions;

    public ServedRevisions(Set<Revision> revisions) {
        this.revisions = Set.copyOf(revisions);
        this.haveSessions =
                revisions.stream().anyMatch(revision -> revision.era() == Era.HANDSHAKE);
    }

    public Set<Revision> revisions() {
        return revisions;
    }

    /** Returns the names of the revisions, newest first. */
    public List<String> dates() {
        return Revision.dates(revisions);
    }

    /**
     * Returns the revision for a session that a client requests; empty if there are no sessions.
     */
    Optional<Revision> forSession(String requested) {
        return Revision.withHandshake(requested)
                .filter(revisions::contains)
                .or(
                        () ->
                                revisions.stream()
                                        .filter(revision -> revision.era() == Era.HANDSHAKE)
                                        .max(Revision::compareTo));
    }

    /** Returns whether one of the revisions has sessions. */
    public boolean haveSessions() {
        return haveSessions;
    }

    /** Returns the revision of a request without a session; empty if it is not served. */
    public Optional<Revision> forRequest(String claimed) {
        return Revision.of(claimed)
                .filter(revision -> revision.era() == Era.PER_REQUEST)
                .filter(revisions::contains);
    }

    /**
     * The refusal of a revision: {@code -32022} with the revisions that are served.
     *
     * @param requested empty where the request names none
     */
    public RequestRefusedException refusal(String requested) {
        JsonObject data = JsonObject.of("supported", dates(), "requested", requested);
        return new RequestRefusedException(
                RequestRefusedException.Kind.INVALID,
                new JsonRpcError(
                        McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION,
                        "Unsupported protocol version: "
                                + (requested.isEmpty()
                                        ? "the request names none"
                                        : Printable.excerpt(requested)),
                        data));
    }
}
