package dev.fairlead.protocol;

/** How a client and a server of a revision come to know each other. */
public enum Era {
    /** By {@code initialize}, once for each session: the revisions up to 2025-11-25. */
    HANDSHAKE,

    /** By the {@code _meta} of each request, without sessions: since revision 2026-07-28. */
    PER_REQUEST
}
