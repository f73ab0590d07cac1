package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.ServerRequests;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * Anonymous callers without sessions at different addresses share the places of a gateway, and no
 * connection to a server.
 */
@Timeout(120)
class GatewayAddressesHttpTest extends ClosingTest {
    private static final String HERE = "127.0.0.2";
    private static final String THERE = "127.0.0.3";
    private static final int PER_CALLER = 16; // unless set
    private static final CallToolRequest BUY = new CallToolRequest("buy", JsonObject.EMPTY);
    private static final JsonObject YES =
            JsonObject.of("action", "accept", "content", JsonObject.of("ok", true));

    record Sure(boolean ok) {}

    private final AtomicReference<ServerRequests> kept = new AtomicReference<>();
    private final McpServer server =
            closedLater(
                    McpServer.named("shop", "1")
                            .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                            .tool("buy", "Buys", NoInput.class, String.class)
                            .handle((none, call) -> call.elicit("Sure?", Sure.class).toString())
                            .tool("keep", "Keeps the client", NoInput.class, String.class)
                            .handle(
                                    (none, call) -> {
                                        kept.set(call.clientSession().orElseThrow().requests());
                                        return "kept";
                                    })
                            .tool("late", "Asks the one that is kept", NoInput.class, String.class)
                            .handle(
                                    (none, call) -> {
                                        try {
                                            return kept.get()
                                                    .elicit("Late?", Sure.class)
                                                    .toString();
                                        } catch (JsonRpcException e) {
                                            return e.getMessage();
                                        }
                                    })
                            .build());

    private HttpServing serve(UnaryOperator<Gateway.Builder> more) {
        Gateway gateway =
                closedLater(
                        more.apply(
                                        Gateway.named("gateway", "1")
                                                .server("shop", server.inProcess())
                                                .connectWait(Duration.ofSeconds(2)))
                                .build());
        return gateway.serve(Http.port(0));
    }

    private McpClient client(HttpServing gateway, String address, String experiment)
            throws Exception {
        HttpClient http =
                closedLater(
                        HttpClient.newBuilder()
                                .version(HttpClient.Version.HTTP_1_1)
                                .localAddress(InetAddress.getByName(address))
                                .build());
        return closedLater(
                McpClient.named("desk", "1")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .onElicitForm(form -> Answer.decline())
                        .experimental(experiment, JsonObject.EMPTY)
                        .connect(Http.to(gateway.uri()).httpClient(http)));
    }

    private static InputRequiredResult begin(McpClient client) throws InterruptedException {
        Outcome<CallToolResult> outcome = client.firstRound(BUY);
        assertThat(outcome).isInstanceOf(Outcome.InputRequired.class);
        return ((Outcome.InputRequired<CallToolResult>) outcome).input();
    }

    private static void end(McpClient client, InputRequiredResult asked)
            throws InterruptedException {
        String key = asked.inputRequests().keySet().iterator().next();
        assertThat(client.nextRound(BUY, Map.of(key, YES), asked.requestState()))
                .isInstanceOf(Outcome.Complete.class);
    }

    private static void assertRefused(McpClient client, String message) {
        assertThatThrownBy(() -> client.firstRound(BUY))
                .isInstanceOf(JsonRpcException.class)
                .hasMessageContaining(message);
    }

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
    void anAddressThatTakesItsConnectionsLeavesThoseOfOthers() throws Exception {
        HttpServing gateway = serve(all -> all);
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
    void allAddressesTogetherHaveABound() throws Exception {
        HttpServing gateway = serve(all -> all.maxCallConnections(2, 3));
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
        HttpServing gateway = serve(all -> all.maxCallConnections(9, 2));
        begin(client(gateway, HERE, "first"));
        begin(client(gateway, HERE, "second"));

        assertRefused(client(gateway, HERE, "third"), "Connection limit of the caller reached (2)");
        assertRefused(client(gateway, HERE, "first"), "Connection limit of the caller reached (2)");
        begin(client(gateway, THERE, "third"));
    }

    @Test
    void aSetOfCapabilitiesThatIsNotInUseMakesRoomForOneOfItsAddress() throws Exception {
        HttpServing gateway = serve(all -> all.maxCallConnections(9, 2));
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
        HttpServing gateway = serve(all -> all.maxCallConnections(9, 2));
        McpClient first = client(gateway, HERE, "first");
        end(first, begin(first));
        McpClient second = client(gateway, HERE, "second");
        begin(second); // has the shared connection
        begin(second);
        await().untilAsserted(() -> assertThat(server.sessions()).isEqualTo(2));

        assertRefused(first, "Connection limit of the caller reached (2)");
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
