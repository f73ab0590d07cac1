package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.HttpServing;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.mrtr.InputRequiredResult;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Which callers are refused by a gateway that has no place for a call: after they have waited for
 * one, in real time.
 */
@Tag("proof")
@Timeout(300)
class GatewayPlacesProofTest extends GatewayAddresses {
    /** Also how long a connection may take that has a place. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final int PER_CALLER = 16; // unless set

    private static void assertRefused(McpClient client, String message) {
        assertThatThrownBy(() -> client.firstRound(BUY))
                .isInstanceOf(JsonRpcException.class)
                .hasMessageContaining(message);
    }

    @Test
    void anAddressThatTakesItsConnectionsLeavesThoseOfOthers() throws Exception {
        HttpServing gateway = serve(all -> all.connectWait(WAIT));
        McpClient here = client(gateway, HERE, "same");
        McpClient there = client(gateway, THERE, "same");
        List<InputRequiredResult> asked = new ArrayList<>();
        for (int call = 0; call < PER_CALLER; call++) { // the first has the shared connection
            asked.add(begin(here));
        }
        assertThat(server.sessions()).isEqualTo(PER_CALLER);

        assertRefused(here, "Connection limit of the caller reached (16)");
        InputRequiredResult other = begin(there);
        assertThat(server.sessions()).isEqualTo(PER_CALLER + 1);

        end(there, other);
        for (InputRequiredResult each : asked) {
            end(here, each);
        }
        begin(there); // has the one that it had before
        begin(there); // leaves those that are kept for the other address
        assertThat(server.sessions()).isEqualTo(PER_CALLER + 2);
    }

    @Test
    void allAddressesTogetherHaveABound() throws Exception {
        HttpServing gateway = serve(all -> all.maxCallConnections(2, 3).connectWait(WAIT));
        McpClient here = client(gateway, HERE, "same");
        McpClient there = client(gateway, THERE, "same");
        begin(here); // has the shared connection
        InputRequiredResult second = begin(here);
        begin(there);
        begin(there);

        assertRefused(there, "The gateway has 2 connections for calls");

        end(here, second);
        begin(there); // an idle one makes room
        await().untilAsserted(() -> assertThat(server.sessions()).isEqualTo(4));
    }

    @Test
    void anAddressWithManySetsOfCapabilitiesLeavesPlacesForOthers() throws Exception {
        HttpServing gateway = serve(all -> all.maxCallConnections(9, 2).connectWait(WAIT));
        begin(client(gateway, HERE, "first"));
        begin(client(gateway, HERE, "second"));

        assertRefused(client(gateway, HERE, "third"), "Connection limit of the caller reached (2)");
        assertRefused(client(gateway, HERE, "first"), "Connection limit of the caller reached (2)");
        begin(client(gateway, THERE, "third"));
    }

    @Test
    void aSetOfCapabilitiesThatIsNotInUseMakesRoomForOneOfItsAddress() throws Exception {
        HttpServing gateway = serve(all -> all.maxCallConnections(9, 2).connectWait(WAIT));
        McpClient first = client(gateway, HERE, "first");
        end(first, begin(first));
        begin(client(gateway, THERE, "second"));
        begin(client(gateway, HERE, "third"));
        assertThat(server.sessions()).isEqualTo(3);

        begin(client(gateway, HERE, "fourth"));

        await().untilAsserted(() -> assertThat(server.sessions()).isEqualTo(3));
        assertRefused(client(gateway, HERE, "fifth"), "Connection limit of the caller reached (2)");
    }

    @Test
    void aSetOfCapabilitiesThatIsNotInUseMakesRoomForACallOfItsAddress() throws Exception {
        HttpServing gateway = serve(all -> all.maxCallConnections(9, 2).connectWait(WAIT));
        McpClient first = client(gateway, HERE, "first");
        end(first, begin(first));
        McpClient second = client(gateway, HERE, "second");
        begin(second); // has the shared connection
        begin(second);
        await().untilAsserted(() -> assertThat(server.sessions()).isEqualTo(2));

        assertRefused(first, "Connection limit of the caller reached (2)");
    }
}
