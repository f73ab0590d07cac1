package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;

/** The client against {@code server-sequential-thinking}, which keeps thoughts in its process. */
@Timeout(300)
class SequentialThinkingTest {
    @Test
    void thoughtsAreCountedAndCheckedAgainstTheSchema() throws Exception {
        try (McpClient client =
                McpClient.named("test", "1")
                        .requestTimeout(Duration.ofSeconds(90))
                        .connect(
                                Stdio.command(
                                                Npm.program(
                                                                "@modelcontextprotocol/server-sequential-thinking",
                                                                "dist/index.js")
                                                        .toArray(String[]::new))
                                        .onStderr(line -> {}))) {
            assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
            assertThat(client.tools()).extracting(Tool::name).containsExactly("sequentialthinking");
            for (int number = 1; number <= 3; number++) {
                JsonObject structured =
                        (JsonObject)
                                client.callTool("sequentialthinking", thought(number))
                                        .structuredContent();
                assertThat(structured.get("thoughtHistoryLength")).isEqualTo(JsonValue.of(number));
                assertThat(structured.get("nextThoughtNeeded")).isEqualTo(JsonValue.of(number < 3));
            }
            assertThat(
                            client.callTool(
                                            "sequentialthinking",
                                            thought(1).with("totalThoughts", "many"))
                                    .isError())
                    .isTrue();
        }
    }

    /** Returns the arguments of one of three thoughts. */
    static JsonObject thought(int number) {
        return JsonObject.of(
                "thought",
                "Thought " + number,
                "nextThoughtNeeded",
                number < 3,
                "thoughtNumber",
                number,
                "totalThoughts",
                3);
    }
}
