package dev.fairlead.acceptance.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonSchemaException;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;

import java.util.logging.Level;

/** Peers that let the validator of schemas log. */
class CostlySchemaTest {
    @Test
    void aTextWhoseMatchingIsGivenUpLogsNothing() {
        JsonSchema schema = JsonSchema.parse("{\"pattern\":\"^(a+)+$\"}");
        try (Logged logged = new Logged("com.networknt", Level.INFO)) {
            for (int i = 0; i < 3; i++) {
                assertThat(schema.validate(JsonValue.of("a".repeat(5_000) + "!"))).hasSize(1);
            }
            assertThat(logged.lines()).isEmpty();
        }
    }

    @Test
    void aPatternThatIsNoneLogsNothing() {
        String schema =
                """
                {"$ref": "#/default", "default": {"pattern": "(a", "patternProperties": {"(b": {}}}}\
                """;
        try (Logged logged = new Logged("com.networknt", Level.INFO)) {
            assertThatThrownBy(JsonSchema.parse(schema)::check)
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessage("the schema has a pattern that is not a regular expression: (a");
            assertThat(logged.lines()).isEmpty();
        }
    }
}
