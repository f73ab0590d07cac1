package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The tools, called by a client in the same process. */
class ServerTest {
    private static CallToolResult call(String tool, JsonObject arguments) throws Exception {
        try (McpServer server = Server.server().build();
                McpClient client = McpClient.connect(server.inProcess())) {
            return client.callTool(tool, arguments);
        }
    }

    @Test
    void aPersonIsGreetedByName() throws Exception {
        assertThat(call("greet", JsonObject.of("name", "Ada")).text()).isEqualTo("Hello, Ada!");
    }

    @Test
    void aTemperatureIsConverted() throws Exception {
        JsonObject boiling = JsonObject.of("degrees", 100, "unit", "CELSIUS");
        assertThat(call("convert", boiling).text()).contains("212", "FAHRENHEIT");
    }

    @Test
    void wordsAreCountedInEachText() throws Exception {
        JsonObject texts = JsonObject.of("texts", List.of("one", "two words"));
        assertThat(call("countWords", texts).text()).contains("\"words\":1", "\"words\":2");
    }

    @Test
    void wrongArgumentsAreRefusedWithTheReason() throws Exception {
        CallToolResult result = call("convert", JsonObject.of("degrees", "hot", "unit", "KELVIN"));
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).contains("degrees must be", "unit must be");
    }
}
