package dev.fairlead.protocol;

/** The kind of negotiation between client and server of a revision. */
public enum Era {
    /** Negotiation by {@code initialize}, once for each session: the revisions up to 2025-11-25. */
    HANDSHAKE,

    /**
     * Negotiation by the {@code _meta} of each request, without sessions: since revision
     * 2026-07-28.
     */
    PER_REQUEST
}
