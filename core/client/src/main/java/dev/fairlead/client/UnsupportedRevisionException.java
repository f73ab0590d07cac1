package dev.fairlead.client;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;

import org.jspecify.annotations.Nullable;

import java.util.stream.Stream;

/**
 * Client and server have no revision of the protocol in common, or the server names one that it
 * does not keep to, so the connection was closed.
 */
public final class UnsupportedRevisionException extends CallException {
    private static final long serialVersionUID = 1;

    private final String offered;

    /**
     * @param refusal the error that lists the revisions of the server; null if a result does
     */
    UnsupportedRevisionException(
            String offered, ClientSettings settings, @Nullable JsonRpcException refusal) {
        super(message(offered, settings), refusal);
        this.offered = offered;
    }

    private static String message(String offered, ClientSettings settings) {
        if (Stream.of(offered.split(", "))
                .flatMap(UnsupportedRevisionException::known)
                .anyMatch(settings::accepts)) {
            return "The server names revision "
                    + offered
                    + " of the protocol, which this client speaks, but answered neither"
                    + " server/discover nor initialize as a server of it does";
        }
        return (offered.isEmpty()
                        ? "The server names no revision of the protocol"
                        : "The server speaks revision " + offered + " of the protocol")
                + ", but this client speaks only "
                + settings.oldest
                + " to "
                + settings.newest;
    }

    private static Stream<Revision> known(String date) {
        return Revision.of(date).stream();
    }

    /**
     * Returns the revision that the server offers, as its answer spells it; several, if it lists
     * them, are separated by a comma and a space. Empty if it names none.
     */
    public String serverRevision() {
        return offered;
    }
}
