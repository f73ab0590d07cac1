package dev.fairlead.http.peer;

import dev.fairlead.http.blocking.BlockingClient;
import dev.fairlead.http.blocking.BlockingExchange;
import dev.fairlead.http.blocking.HeaderFields;
import dev.fairlead.http.blocking.IncomingResponse;
import dev.fairlead.http.blocking.OutgoingRequest;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.platform.RandomBytes;
import dev.fairlead.protocol.time.LimitedLog;

import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HexFormat;

/** A signed request to another node, which is sent once. */
final class PeerCall {
    /** The random bytes of a nonce. */
    private static final int NONCE = 16;

    private static final HexFormat HEX = HexFormat.of();

    private static final int MAX_PORT = 65_535;

    private static final System.Logger LOGGER = System.getLogger(PeerCall.class.getName());

    private final PeerKeys keys;
    private final String signature;
    private final BlockingExchange exchange;

    /**
     * Signs a request.
     *
     * @param from this node
     * @throws ConnectException if the address of the other node is not one
     */
    PeerCall(
            SessionStore.Membership from,
            PeerKeys keys,
            BlockingClient client,
            PeerRequest request,
            Forwarder.Target to)
            throws ConnectException {
        URI uri = uri(to);
        PeerRequest addressed =
                request.to(
                        from.node(),
                        to.node(),
                        to.epoch(),
                        from.time(),
                        HEX.formatHex(RandomBytes.of(NONCE)));
        byte[] head = addressed.headBytes();
        HeaderFields headers = new HeaderFields();
        this.keys = keys;
        this.signature = keys.sign(head);
        headers.set(PeerEndpoint.SIGNATURE, signature);
        this.exchange =
                client.exchange(new OutgoingRequest("POST", uri, headers, addressed.toBytes(head)));
    }

    /** Returns the URL of a node whose address any program may have written to the store. */
    private static URI uri(Forwarder.Target to) throws ConnectException {
        try {
            URI uri = new URI("http://" + to.address() + PeerEndpoint.PATH);
            boolean isWhole = to.address().equals(uri.getRawAuthority());
            boolean hasPort = uri.getPort() > 0 && uri.getPort() <= MAX_PORT;
            if (isWhole && hasPort && uri.getHost() != null && uri.getRawUserInfo() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // logged below
        }
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                to.address(),
                "Node {0} cannot be reached: its address in the store must be HOST:PORT but was"
                        + " ''{1}''; correct its HttpOptions.peers",
                Long.toString(to.node()),
                Printable.excerpt(to.address()));
        throw new ConnectException("the address of node " + to.node() + " is not HOST:PORT");
    }

    /** The exchange to send, or to abort. */
    BlockingExchange exchange() {
        return exchange;
    }

    /** Returns whether a node has answered, and this request. */
    boolean isSigned(IncomingResponse response) {
        return response.headers()
                .first(PeerEndpoint.SIGNATURE)
                .filter(given -> keys.verifyAnswer(given, signature, response.status()))
                .isPresent();
    }
}
