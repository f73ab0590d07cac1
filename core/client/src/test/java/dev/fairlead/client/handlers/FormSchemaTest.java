package dev.fairlead.client.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;

import org.junit.jupiter.api.Test;

/** Forms of servers that do harm. */
class FormSchemaTest {
    @Test
    void aFieldThatRefersToItselfIsNotChecked() {
        String form =
                """
                {"type": "object", "properties":
                  {"a": {"allOf": [{"$ref": "#/properties/a"}]}, "b": {"type": "string"}}}\
                """;
        FormSchema schema = FormSchema.of((JsonObject) JsonValue.parse(form));

        assertThat(schema.validate(JsonObject.of("a", 1, "b", "text"))).isEmpty();
        assertThat(schema.validate(JsonObject.of("a", 1, "b", 2)))
                .extracting(JsonViolation::path)
                .containsExactly("b");
    }
}
