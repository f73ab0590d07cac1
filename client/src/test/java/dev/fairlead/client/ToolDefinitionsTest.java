package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.logging.Level;

/** What is kept of tools whose annotations of headers break the rules. */
final class ToolDefinitionsTest {
    private final ToolDefinitions tools = new ToolDefinitions(false, 10);

    private static Tool tool(String name, String type) {
        return new Tool(
                name,
                FakeServer.json(
                        """
                        {"type": "object", "properties":
                         {"a": {"type": "%s", "x-mcp-header": "A"}}}\
                        """
                                .formatted(type)));
    }

    @Test
    @Requirement("N26-HDR-011")
    void aToolIsLeftOutWithOneWarningUntilItsDefinitionChanges() {
        Tool fine = tool("fine", "string");
        Tool broken = tool("broken", "array");
        try (Logged log = new Logged("dev.fairlead.client.ToolDefinitions", Level.WARNING)) {
            for (int i = 0; i < 3; i++) {
                assertThat(tools.withUsableHeaders(List.of(fine, broken))).containsExactly(fine);
            }
            tools.forget(); // the list has changed, the tool has not
            tools.withUsableHeaders(List.of(broken));
            assertThat(warnings(log)).hasSize(1);

            tools.withUsableHeaders(List.of(tool("broken", "object"), tool("other", "array")));
            assertThat(warnings(log)).hasSize(3);
        }
    }

    private static List<String> warnings(Logged log) {
        return log.lines().stream().filter(line -> line.startsWith("WARNING")).toList();
    }
}
