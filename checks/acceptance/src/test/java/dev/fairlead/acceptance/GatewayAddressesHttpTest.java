package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.CallToolResult;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** State that callers at different addresses share behind a gateway. */
@Timeout(120)
class GatewayAddressesHttpTest extends GatewayAddresses {
    @Test
    void aLateQuestionOfTheCallOfOneAddressMeetsNoCallOfAnother() throws Exception {
        HttpServing gateway = serve(all -> all);
        McpClient here = client(gateway, HERE, "same");
        assertThat(here.callTool("keep", JsonObject.EMPTY).text()).isEqualTo("kept");

        CallToolResult other = client(gateway, THERE, "same").callTool("late", JsonObject.EMPTY);

        assertThat(other.text()).contains("No client can be asked over this connection");
        assertThat(server.sessions()).isEqualTo(2);
        assertThat(here.callTool("buy", JsonObject.EMPTY).text()).contains("Declined");
        assertThat(server.sessions()).isEqualTo(2); // one address has the same one again
    }

    @Test
    void callsWaitForTheSharedConnectionToo() throws Exception {
        HttpServing gateway =
                serve(all -> all.maxCallConnections(9, 1).connectWait(Duration.ofSeconds(30)));
        McpClient here = client(gateway, HERE, "same");
        List<Future<CallToolResult>> calls = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int call = 0; call < 8; call++) {
                calls.add(executor.submit(() -> here.callTool("buy", JsonObject.EMPTY)));
            }
        }

        for (Future<CallToolResult> call : calls) {
            assertThat(call.get().text()).contains("Declined");
        }
        assertThat(server.sessions()).isEqualTo(1);
    }

    @Test
    void anAddressThatTakesAllSessionsLeavesOneToOthers() throws Exception {
        HttpServing gateway = serve(all -> all.maxSessions(4)); // and one in reserve
        for (int session = 0; session < 4; session++) {
            assertThat(session(gateway, HERE).tools()).isNotEmpty();
        }

        assertRefused(session(gateway, HERE));
        McpClient there = session(gateway, THERE);
        assertThat(there.tools()).isNotEmpty();
        assertRefused(session(gateway, THERE));
        assertThat(server.sessions()).isEqualTo(5);

        there.close();
        await().untilAsserted(() -> assertThat(server.sessions()).isEqualTo(4));
        McpClient again = session(gateway, THERE);
        await().ignoreException(JsonRpcException.class) // until the gateway has counted the end
                .untilAsserted(() -> assertThat(again.tools()).isNotEmpty());
    }

    private McpClient session(HttpServing gateway, String address) throws Exception {
        return closedLater(
                McpClient.named("desk", "1")
                        .revisions(Revision.V2025_11_25, Revision.V2025_11_25)
                        .connect(
                                Http.to(gateway.uri())
                                        .localAddress(InetAddress.getByName(address))));
    }

    private static void assertRefused(McpClient client) {
        assertThatThrownBy(client::tools)
                .isInstanceOf(JsonRpcException.class)
                .hasMessageContaining("Session limit of the gateway reached (4)");
    }

    @Test
    void aConnectionForACallThatIsNotInUseMakesRoomForASetOfCapabilities() throws Exception {
        HttpServing gateway = serve(all -> all.maxCallConnections(9, 2));
        McpClient first = client(gateway, HERE, "first");
        begin(first); // has the shared connection
        end(first, begin(first));
        begin(client(gateway, HERE, "second"));
        await().untilAsserted(() -> assertThat(server.sessions()).isEqualTo(2));
    }
}
