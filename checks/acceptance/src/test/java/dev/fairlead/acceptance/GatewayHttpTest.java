package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.group.Naming;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.ProofServer;
import dev.fairlead.test.shared.Rebinding;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gateway and servers in this process. */
@Timeout(120)
class GatewayHttpTest {
    @Test
    void aServerOverHttpThatIsGoneIsNoticedByARequest() throws Exception {
        try (McpServer server = ProofServer.create()) {
            HttpServing place = Rebinding.serveOnOwnPort(server);
            try (Gateway gateway =
                            Gateway.named("gateway", "1")
                                    .server("web", Http.to(place.uri()))
                                    .server("files", server.inProcess())
                                    .naming(Naming.DEFAULT.prefixAlways())
                                    .build();
                    McpClient client = McpClient.connect(gateway.inProcess())) {
                JsonObject ada = JsonObject.of("name", "Ada");
                assertThat(client.callTool("web.greet", ada).text()).isEqualTo("Hello, Ada");
                place.close();
                assertThatThrownBy(() -> client.callTool("web.greet", ada))
                        .isInstanceOf(JsonRpcException.class)
                        .hasMessage("The server web is not available");
                assertThat(client.callTool("files.greet", ada).text()).isEqualTo("Hello, Ada");

                Rebinding.serve(server, Http.port(place.uri().getPort()));
                await("the server is not back").until(() -> isAnswered(client, "web.greet", ada));
            }
        }
    }

    private static boolean isAnswered(McpClient client, String tool, JsonObject arguments) {
        try {
            return !client.callTool(tool, arguments).isError();
        } catch (JsonRpcException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void clientsWithoutSessionsShareConnections() throws Exception {
        try (McpServer server = ProofServer.create();
                Gateway gateway =
                        Gateway.named("gateway", "1").server("proof", server.inProcess()).build();
                HttpServing place = gateway.serve(Http.port(0).stateless());
                McpClient one = McpClient.connect(Http.to(place.uri()));
                McpClient other = McpClient.connect(Http.to(place.uri()))) {
            JsonObject ada = JsonObject.of("name", "Ada");
            assertThat(one.callTool("greet", ada).text()).isEqualTo("Hello, Ada");
            assertThat(other.callTool("greet", ada).text()).isEqualTo("Hello, Ada");
            assertThat(server.sessions()).isEqualTo(1);
            assertThat(gateway.sessions()).isZero();
        }
    }
}
