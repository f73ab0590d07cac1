package dev.fairlead.client;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

/** Client and server have no revision of the protocol in common, so the connection was closed. */
public final class UnsupportedRevisionException extends CallException {
    private static final long serialVersionUID = 1;

    private final String offered;

    /**
     * @param refusal the error that lists the revisions of the server; null if a result does
     */
    UnsupportedRevisionException(
            String offered, ClientSettings settings, @Nullable JsonRpcException refusal) {
        super(
                (offered.isEmpty()
                                ? "The server names no revision of the protocol"
                                : "The server speaks revision " + offered + " of the protocol")
                        + ", but this client speaks only "
                        + settings.oldest
                        + " to "
                        + settings.newest,
                refusal);
        this.offered = offered;
    }

    /**
     * Returns the revision that the server offers, as its answer spells it; several, if it lists
     * them, are separated by a comma and a space. Empty if it names none.
     */
    public String serverRevision() {
        return offered;
    }
}
