package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.server.McpServer;

import java.util.List;

/** Resources: fixed ones, those of a template, and watching them. */
final class ResourceScenes {
    // @start region="variables"
    record Now(String city) {}

    // @end

    private ResourceScenes() {}

    static McpServer server() {
        // @start region="declare"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .resource("docs://guide", "guide", String.class)
                        .mimeType("text/markdown")
                        .handle((request, call) -> "# How to read a forecast")
                        .resourceTemplate("city://{city}/now", "now", Now.class, Weather.class)
                        .description("The weather of this moment")
                        .list((caller, call) -> List.of(new Now("Oslo"), new Now("Seoul")))
                        .handle((now, call) -> weather(now.city()))
                        .build();
        // @end
        return server;
    }

    record Weather(String sky, int degrees) {}

    private static Weather weather(String city) {
        return new Weather("clear over " + city, 21);
    }

    static void list(Recorder recorder) throws InterruptedException {
        try (McpServer server = server();
                McpClient client = connect(recorder, server)) {
            // @start region="list"
            List<Resource> resources = client.resources();
            List<ResourceTemplate> templates = client.resourceTemplates();
            // @end
            assertThat(resources).hasSize(3);
            assertThat(templates).hasSize(1);
        }
    }

    static void read(Recorder recorder) throws InterruptedException {
        try (McpServer server = server();
                McpClient client = connect(recorder, server)) {
            // @start region="read"
            String guide = client.readResource("docs://guide").text();
            String now = client.readResource("city://Oslo/now").text();
            // @end
            assertThat(guide).startsWith("#");
            assertThat(now).startsWith("{");
        }
    }

    static void missing(Recorder recorder) throws InterruptedException {
        try (McpServer server = server();
                McpClient client = connect(recorder, server)) {
            assertThatThrownBy(() -> client.readResource("city://Oslo/then"))
                    .isInstanceOf(JsonRpcException.class);
        }
    }

    static void watch(Recorder recorder) throws InterruptedException {
        Screen screen = new Screen();
        try (McpServer server = server();
                McpClient client = connect(recorder, server)) {
            // @start region="watch"
            Subscription watch =
                    client.watch("city://Oslo/now", uri -> screen.show(uri + " changed"));
            // @end
            // @start region="update"
            server.resourceUpdated("city://Oslo/now");
            // @end
            screen.expect("city://Oslo/now changed");
            // @start region="unwatch"
            watch.close();
            // @end
        }
    }

    private static McpClient connect(Recorder recorder, McpServer server)
            throws InterruptedException {
        McpClient client = recorder.connect(server, McpClient.named("desk", "1.4.0"));
        recorder.restart();
        return client;
    }
}
