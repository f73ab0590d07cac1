package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The code of pages whose frames no page shows. */
class SnippetsTest {
    @Test
    void aTypedCallGivesARecord() throws InterruptedException {
        try (McpClient client = McpClient.connect(ToolScenes.server().inProcess())) {
            assertThat(ToolScenes.typed(client))
                    .isEqualTo(new ToolScenes.Forecast("Fair", List.of(21, 21)));
        }
    }

    @Test
    void pagesAreReadByHand() throws InterruptedException {
        try (McpClient client = McpClient.connect(ListScenes.server().build().inProcess())) {
            assertThat(ListScenes.byHand(client)).isEqualTo(3);
        }
    }

    @Test
    void everyFailureHasItsException() throws InterruptedException {
        try (McpClient client = McpClient.connect(ErrorScenes.server().inProcess())) {
            assertThat(ErrorScenes.handled(client))
                    .isEqualTo("The tool says: The station is closed");
        }
    }

    @Test
    void serversAreServedAndClosed() {
        ServerSnippets.places();
    }

    @Test
    void interceptorsMeasureAndModulesDeclare() throws InterruptedException {
        try (McpServer server = ServerSnippets.intercepted();
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(ClientSnippets.limits(client)).isEqualTo("Sunny");
            assertThat(ServerSnippets.METRICS).containsKey("tools/call");
            assertThat(ClientSnippets.connect(server.inProcess())).isEqualTo("Sunny");
            ClientSnippets.configured(server.inProcess()).close();
        }
        try (McpServer server = ServerSnippets.modules().build();
                McpClient client = ClientSnippets.intercepted().connect(server.inProcess())) {
            assertThat(client.tools()).hasSize(2);
            assertThat(ClientSnippets.remotes(server)).hasSize(3);
        }
    }

    @Test
    void aHiddenToolIsNotThere() throws InterruptedException {
        Caller ann = Caller.of("https://login.example", "ann", null, Set.of("reports:purge"));
        try (McpServer server = ServerSnippets.hidden();
                McpClient nobody = McpClient.connect(server.inProcess());
                McpClient somebody = McpClient.connect(server.inProcess(ann))) {
            assertThat(nobody.tools()).isEmpty();
            assertThat(somebody.callTool("purge", JsonObject.EMPTY).text())
                    .isEqualTo("Deleted for ann");
        }
    }

    @Test
    void methodsOfYourOwnAreAnswered() throws InterruptedException {
        try (McpServer server = ServerSnippets.own();
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(ClientSnippets.own(client)).isEqualTo(6);
        }
    }

    @Test
    void rawToolsAndSourcesAnswer() throws InterruptedException {
        try (McpServer server = ServerSnippets.raw();
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(client.callTool("add", JsonObject.of("a", 2, "b", 3)).text()).isEqualTo("5");
        }
        try (McpServer server = ServerSnippets.source(Map.of("all", "42 rows"));
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(client.tools()).extracting(Tool::name).containsExactly("query.all");
            assertThat(client.callTool("query.all", JsonObject.EMPTY).text()).isEqualTo("42 rows");
        }
    }

    @Test
    void typesWithArgumentsAreBound() throws InterruptedException {
        McpServer.Builder cities =
                McpServer.named("weather", "1")
                        .tool("cities", "Tested", NoInput.class, new TypeRef<List<String>>() {})
                        .handle((none, call) -> List.of("Oslo", "Seoul"));
        try (McpServer server = cities.build();
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(ClientSnippets.generic(client)).containsExactly("Oslo", "Seoul");
        }
    }

    @Test
    void remotesAndPortsAreValues(@TempDir Path folder) throws Exception {
        assertThat(ClientSnippets.child(folder.resolve("log"))).isNotNull();
        assertThat(ClientSnippets.http(Map.of("current", "t")))
                .hasToString("https://weather.example/mcp");
        KeyStore keys = KeyStore.getInstance(KeyStore.getDefaultType());
        assertThat(TransportSnippets.open(keys, "changeit")).isNotNull();
        assertThat(TransportSnippets.stateless()).isNotNull();
    }
}
