package dev.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.group.GroupItem;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.protocol.tools.Tool;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

final class OutputSchemasTest {
    private final List<JsonObject> checks = new ArrayList<>();
    private final OutputSchemas schemas =
            new OutputSchemas(
                    schema -> {
                        checks.add(schema);
                        return OutputSchemas.isValid(schema);
                    });

    private static GroupItem<Tool> tool(String name, JsonObject schema) {
        Tool tool = Tool.builder(name, name, JsonSchema.parse("{\"type\":\"object\"}")).build();
        return new GroupItem<>("web", name, tool.withOutputSchema(schema));
    }

    @Test
    void aSchemaIsCheckedOnceAsLongAsItIsListed() {
        JsonObject good = JsonObject.of("type", "object");
        JsonObject bad = JsonObject.of("type", "list");
        List<GroupItem<Tool>> tools = List.of(tool("a", good), tool("b", bad));
        for (int i = 0; i < 3; i++) {
            schemas.retain(tools);
            assertThat(schemas.isUsable(good)).isTrue();
            assertThat(schemas.isUsable(bad)).isFalse();
            assertThat(schemas.isUsable(null)).isTrue();
        }
        assertThat(checks).containsExactly(good, bad);
        schemas.retain(List.of(tool("b", bad)));
        assertThat(schemas.isUsable(bad)).isFalse();
        assertThat(schemas.isUsable(good)).isTrue();
        assertThat(checks).containsExactly(good, bad, good);
    }
}
