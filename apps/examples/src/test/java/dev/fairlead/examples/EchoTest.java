package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.testing.McpTest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.util.Map;

@EachEra
class EchoTest {
    @Parameter private Revision revision;

    private final McpTest test = McpTest.of(Echo.server());
    private McpClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        client = test.revision(revision).client();
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void theToolGivesBackItsText() throws Exception {
        assertThat(client.callTool("echo_tool", JsonObject.of("text", "grüß dich 👋")).text())
                .isEqualTo("grüß dich 👋");
    }

    @Test
    void theResourcesEcho() throws Exception {
        assertThat(client.readResource("echo://static").text()).isEqualTo("Echo!");
        assertThat(client.readResource("echo://hello%20there").text())
                .isEqualTo("Echo: hello there");
    }

    @Test
    void thePromptIsOneMessageOfItsText() throws Exception {
        assertThat(client.getPrompt("echo", Map.of("text", "hello")).messages())
                .extracting(message -> ((TextContent) message.content()).text())
                .containsExactly("hello");
    }
}
