package dev.fairlead.http.peer;

import dev.fairlead.http.blocking.BlockingClient;
import dev.fairlead.http.blocking.BlockingExchange;
import dev.fairlead.http.blocking.HeaderFields;
import dev.fairlead.http.blocking.IncomingResponse;
import dev.fairlead.http.blocking.OutgoingRequest;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.platform.RandomBytes;

import java.net.URI;
import java.util.HexFormat;

/** A signed request to another node, which is sent once. */
final class PeerCall {
    /** The random bytes of a nonce. */
    private static final int NONCE = 16;

    private static final HexFormat HEX = HexFormat.of();

    private final PeerKeys keys;
    private final String signature;
    private final BlockingExchange exchange;

    /**
     * Signs a request.
     *
     * @param from this node
     */
    PeerCall(
            SessionStore.Membership from,
            PeerKeys keys,
            BlockingClient client,
            PeerRequest request,
            Forwarder.Target to) {
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
        URI uri = URI.create("http://" + to.address() + PeerEndpoint.PATH);
        this.exchange =
                client.exchange(new OutgoingRequest("POST", uri, headers, addressed.toBytes(head)));
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
