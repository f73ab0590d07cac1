package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;

/** Typed calls open the wrapping of outputs that are not objects, and no object that looks so. */
@Timeout(90)
final class WrappedOutputTest {
    record Sum(int result) {}

    private static McpServer server() {
        return McpServer.named("sums", "1")
                .tool("number", "Adds", NoInput.class, Integer.class)
                .handle((none, call) -> 1)
                .tool("list", "Adds", NoInput.class, JsonArray.class)
                .handle((none, call) -> new JsonArray(List.of(JsonValue.parse("1"))))
                .tool("record", "Adds", NoInput.class, Sum.class)
                .handle((none, call) -> new Sum(1))
                .tool("any-number", "Adds", NoInput.class, JsonValue.class)
                .handle((none, call) -> JsonValue.parse("1"))
                .tool("any-object", "Adds", NoInput.class, JsonValue.class)
                .handle((none, call) -> JsonObject.of("result", JsonObject.of("a", 1)))
                .build();
    }

    @ParameterizedTest
    @EnumSource(
            value = Revision.class,
            names = {"V2025_06_18", "V2025_11_25", "V2026_07_28"})
    void anyJsonIsReadAsTheHandlerReturnedIt(Revision revision) throws Exception {
        try (McpServer server = server();
                McpClient client =
                        McpClient.named("desk", "1")
                                .revisions(revision, revision)
                                .connect(server.inProcess())) {
            assertThat(any(client, "number")).isEqualTo(JsonValue.parse("1"));
            assertThat(any(client, "list")).isEqualTo(JsonValue.parse("[1]"));
            assertThat(any(client, "any-number")).isEqualTo(JsonValue.parse("1"));
            assertThat(any(client, "any-object"))
                    .isEqualTo(JsonValue.parse("{\"result\":{\"a\":1}}"));
            assertThat(client.tool("record", NoInput.class, Sum.class).call(new NoInput()))
                    .isEqualTo(new Sum(1));
            if (revision.isAtLeast(Revision.V2026_07_28)) { // before, its schema is that of number
                assertThat(any(client, "record")).isEqualTo(JsonValue.parse("{\"result\":1}"));
            }
        }
    }

    private static JsonValue any(McpClient client, String tool) throws InterruptedException {
        return client.tool(tool, NoInput.class, JsonValue.class).call(new NoInput());
    }
}
