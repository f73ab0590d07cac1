package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.RemoteTool;
import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.Range;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;

import java.util.Collections;
import java.util.List;

/** Tools: their declaration, their calls, their failures. */
final class ToolScenes {
    // @start region="records"
    record Query(
            @Doc("A city, such as Oslo") String city,
            @Doc("How many days") @Range(min = 1, max = 10) @Default("3") int days) {}

    record Forecast(String summary, @Doc("In degrees Celsius") List<Integer> highs) {}

    // @end

    private ToolScenes() {}

    static McpServer server() {
        // @start region="declare"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("forecast", "Forecasts the weather", Query.class, Forecast.class)
                        .title("Weather forecast")
                        .readOnly()
                        .handle((query, call) -> forecast(query))
                        .build();
        // @end
        return server;
    }

    // @start region="fail"
    static Forecast forecast(Query query) {
        if (query.city().equals("Atlantis")) {
            throw new ToolFailedException("There is no station in Atlantis");
        }
        return new Forecast("Fair", Collections.nCopies(query.days(), 21));
    }

    // @end

    static void list(Recorder recorder) throws InterruptedException {
        try (McpClient client = connect(recorder)) {
            // @start region="list"
            List<Tool> tools = client.tools();
            // @end
            assertThat(tools).hasSize(1);
        }
    }

    static void call(Recorder recorder) throws InterruptedException {
        try (McpClient client = connect(recorder)) {
            // @start region="call"
            CallToolResult result =
                    client.callTool("forecast", JsonObject.of("city", "Oslo", "days", 2));
            // @end
            assertThat(result.isError()).isFalse();
        }
    }

    static void callPerRequest(Recorder recorder) throws InterruptedException {
        try (McpClient client =
                recorder.connectPerRequest(server(), McpClient.named("desk", "1.4.0"))) {
            client.callTool("forecast", JsonObject.of("city", "Oslo", "days", 2));
        }
    }

    static void failure(Recorder recorder) throws InterruptedException {
        Screen screen = new Screen();
        try (McpClient client = connect(recorder)) {
            // @start region="failure"
            CallToolResult result = client.callTool("forecast", JsonObject.of("city", "Atlantis"));
            if (result.isError()) {
                screen.show(result.text()); // There is no station in Atlantis
            }
            // @end
            screen.expect("There is no station in Atlantis");
        }
    }

    static void invalid(Recorder recorder) throws InterruptedException {
        try (McpClient client = connect(recorder)) {
            client.callTool("forecast", JsonObject.of("city", "Oslo", "days", 99));
        }
    }

    /** The typed way; its frames are those of the list and of the call. */
    static Forecast typed(McpClient client) throws InterruptedException {
        // @start region="typed"
        RemoteTool<Query, Forecast> forecast = client.tool("forecast", Query.class, Forecast.class);
        Forecast oslo = forecast.call(new Query("Oslo", 2));
        // @end
        return oslo;
    }

    private static McpClient connect(Recorder recorder) throws InterruptedException {
        McpClient client = recorder.connect(server(), McpClient.named("desk", "1.4.0"));
        recorder.restart();
        return client;
    }
}
