package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

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

import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * Anonymous callers without sessions at different addresses share the places of a gateway, and no
 * connection to a server.
 */
abstract class GatewayAddresses extends ClosingTest {
    static final String HERE = "127.0.0.2";
    static final String THERE = "127.0.0.3";
    static final CallToolRequest BUY = new CallToolRequest("buy", JsonObject.EMPTY);
    private static final JsonObject YES =
            JsonObject.of("action", "accept", "content", JsonObject.of("ok", true));

    record Sure(boolean ok) {}

    private final AtomicReference<ServerRequests> kept = new AtomicReference<>();
    final McpServer server =
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

    HttpServing serve(UnaryOperator<Gateway.Builder> more) {
        Gateway gateway =
                closedLater(
                        more.apply(
                                        Gateway.named("gateway", "1")
                                                .server("shop", server.inProcess())
                                                .connectWait(Duration.ofSeconds(60)))
                                .build());
        return gateway.serve(Http.port(0));
    }

    McpClient client(HttpServing gateway, String address, String experiment) throws Exception {
        return closedLater(
                McpClient.named("desk", "1")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .onElicitForm(form -> Answer.decline())
                        .experimental(experiment, JsonObject.EMPTY)
                        .connect(
                                Http.to(gateway.uri())
                                        .localAddress(InetAddress.getByName(address))));
    }

    static InputRequiredResult begin(McpClient client) throws InterruptedException {
        Outcome<CallToolResult> outcome = client.firstRound(BUY);
        assertThat(outcome).isInstanceOf(Outcome.InputRequired.class);
        return ((Outcome.InputRequired<CallToolResult>) outcome).input();
    }

    static void end(McpClient client, InputRequiredResult asked) throws InterruptedException {
        String key = asked.inputRequests().keySet().iterator().next();
        assertThat(client.nextRound(BUY, Map.of(key, YES), asked.requestState()))
                .isInstanceOf(Outcome.Complete.class);
    }
}
