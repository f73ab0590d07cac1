package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import java.util.List;

/** The tools, called over HTTP. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ApplicationTest {
    @Value("${local.server.port}")
    private int port;

    private McpClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        client = McpClient.connect(Http.to("http://127.0.0.1:" + port + "/mcp"));
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void aPersonIsGreetedByName() throws Exception {
        assertThat(client.callTool("greet", JsonObject.of("name", "Ada")).text())
                .isEqualTo("Hello, Ada!");
    }

    @Test
    void aTemperatureIsConverted() throws Exception {
        JsonObject boiling = JsonObject.of("degrees", 100, "unit", "CELSIUS");
        assertThat(client.callTool("convert", boiling).text()).contains("212", "FAHRENHEIT");
    }

    @Test
    void wordsAreCountedInEachText() throws Exception {
        JsonObject texts = JsonObject.of("texts", List.of("one", "two words"));
        assertThat(client.callTool("countWords", texts).text())
                .contains("\"words\":1", "\"words\":2");
    }
}
