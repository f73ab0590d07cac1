package dev.fairlead.http.session;

import dev.fairlead.http.endpoint.HttpRefusal;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.protocol.SessionStore;

/** Refuses a request whose session another node owns, to which it can be forwarded. */
public final class OwnedElsewhereException extends HttpRefusalException {
    private static final long serialVersionUID = 1;

    private final transient SessionStore.Owner owner;
    private final int epoch;
    private final boolean free;

    OwnedElsewhereException(SessionStore.Owner owner, int epoch, boolean free) {
        super(
                new HttpRefusal(
                                RefusalReason.OWNER_UNREACHABLE,
                                "The session has just moved to another node")
                        .withRetryAfter(HttpRefusal.SOON));
        this.owner = owner;
        this.epoch = epoch;
        this.free = free;
    }

    public SessionStore.Owner owner() {
        return owner;
    }

    /** Whether no node owns the session, so that the other one is to take it. */
    public boolean isFree() {
        return free;
    }

    /** The count of owners of the session. */
    public int epoch() {
        return epoch;
    }
}
