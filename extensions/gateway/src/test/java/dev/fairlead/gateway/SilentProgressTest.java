package dev.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.group.McpClients;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Progress that extends the wait of a caller who does not listen to it, on the way to a server. */
@Timeout(120)
class SilentProgressTest {
    private final McpServer server =
            McpServer.named("slow", "1")
                    .tool("slow", "Says whether it may report", NoInput.class, Boolean.class)
                    .handle((none, call) -> call.wantsProgress())
                    .resource("a://b", "b", String.class)
                    .handle((uri, call) -> String.valueOf(call.wantsProgress()))
                    .build();

    @ParameterizedTest
    @CsvSource({
        "V2025_11_25, V2025_11_25",
        "V2025_11_25, V2026_07_28",
        "V2026_07_28, V2025_11_25",
        "V2026_07_28, V2026_07_28"
    })
    void isAskedForThroughAGateway(Revision front, Revision behind) throws Exception {
        try (Gateway gateway =
                        Gateways.patient()
                                .server(
                                        "slow",
                                        server.inProcess(),
                                        client -> client.revisions(behind, behind))
                                .build();
                McpClient client =
                        McpClient.named("desk", "1")
                                .revisions(front, front)
                                .connect(gateway.inProcess())) {
            assertThat(client.callTool("slow", JsonObject.EMPTY).text()).contains("true");
            assertThat(client.readResource("a://b").text()).isEqualTo("true");
        }
    }

    @ParameterizedTest
    @CsvSource({"V2025_11_25", "V2026_07_28"})
    void isAskedForInAGroup(Revision revision) throws Exception {
        try (McpClients clients =
                McpClients.named("desk", "1")
                        .server(
                                "slow",
                                server.inProcess(),
                                client -> client.revisions(revision, revision))
                        .connect()) {
            assertThat(clients.callTool("slow", JsonObject.EMPTY).text()).contains("true");
            assertThat(clients.readResource("a://b").text()).isEqualTo("true");
        }
    }
}
