package dev.fairlead.client.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;

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

    @Test
    void oneFieldOfManyThatCannotBeUsedIsNotChecked() {
        Map<String, JsonObject> fields = new LinkedHashMap<>();
        Map<String, JsonValue> wrong = new LinkedHashMap<>();
        for (int i = 0; i < 300; i++) {
            fields.put("f" + i, JsonObject.of("type", "string"));
            wrong.put("f" + i, JsonValue.of("text"));
        }
        fields.put("f222", JsonObject.of("pattern", "("));
        for (String name : List.of("f0", "f221", "f222", "f223", "f299")) {
            wrong.put(name, JsonValue.of(1));
        }
        FormSchema schema = FormSchema.of(JsonObject.of("properties", fields));

        assertThat(schema.validate(new JsonObject(wrong)))
                .extracting(JsonViolation::path)
                .containsExactly("f0", "f221", "f223", "f299");
    }

    @Test
    void aFieldThatIsRequiredTwiceIsRequired() {
        String form =
                """
                {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "a"]}\
                """;
        FormSchema schema = FormSchema.of((JsonObject) JsonValue.parse(form));

        assertThat(schema.validate(JsonObject.of("a", "text"))).isEmpty();
        assertThat(schema.validate(JsonObject.EMPTY)).hasSize(1);
        assertThat(schema.validate(JsonObject.of("a", 1))).hasSize(1);
    }

    /** The reference is followed only when a value is checked. */
    @Test
    void aFormThatCannotBeCheckedTakesAnyValuesOfItsFields() {
        JsonObject field = JsonObject.of("$dynamicRef", "#nowhere");
        JsonObject form = JsonObject.of("properties", JsonObject.of("a", field));
        Omissions log = new Omissions(new Object(), "The server of this test");
        try (Logged logged = new Logged(Omissions.class.getName(), Level.WARNING)) {
            FormSchema schema = FormSchema.of(form, log);

            assertThat(schema.validate(JsonObject.of("a", 1))).isEmpty();
            assertThat(schema.validate(JsonObject.of("a", 1, "c", 1)))
                    .containsExactly(new JsonViolation("c", "is no field of the form"));
            assertThat(logged.lines())
                    .anyMatch(line -> line.contains("an answer to its form is not checked: "));
        }
    }

    @Test
    void anUnknownDialectIsNamedInTheLog() {
        JsonObject form = JsonObject.of("$schema", "https://example.com/own", "type", "object");
        try (Logged logged = new Logged(Omissions.class.getName(), Level.WARNING)) {
            FormSchema.of(form, new Omissions(new Object(), "The server of this test"));

            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .contains("The server of this test: a form", "https://example.com/own");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'type': 'number'}", "{'$dynamicRef': '#none'}"})
    void anAnswerThatCannotBeCheckedIsSent(String field) {
        JsonObject form =
                (JsonObject)
                        JsonValue.parse(
                                "{'properties': {'n': %s}}".formatted(field).replace('\'', '"'));
        JsonValue huge = JsonValue.parse("1e2000");
        try (Logged logged = new Logged(Omissions.class.getName(), Level.WARNING)) {
            FormSchema schema = FormSchema.of(form, new Omissions(new Object(), "The server"));

            assertThat(schema.validate(JsonObject.of("n", huge))).isEmpty();
            assertThat(schema.validate(JsonObject.of("n", huge, "x", 1)))
                    .extracting(JsonViolation::path)
                    .containsExactly("x");
            assertThat(logged.lines())
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .singleElement()
                    .asString()
                    .contains("The server: an answer to its form is not checked: ");
        }
    }

    /** Each of them copied all values so far: a form of 20,000 fields took 20 s. */
    @Test
    void defaultsOfManyFieldsCostNoMoreThanTheirSum() {
        Map<String, JsonObject> properties = new LinkedHashMap<>();
        for (int i = 0; i < 5_000; i++) {
            properties.put("f" + i, JsonObject.of("type", "string", "default", "x"));
        }
        FormSchema schema = FormSchema.of(JsonObject.of("properties", properties));

        long before = allocated();
        JsonObject filled = schema.withDefaults(JsonObject.of("f7", "mine"));
        long used = allocated() - before;

        assertThat(filled.size()).isEqualTo(5_000);
        assertThat(filled.string("f7")).isEqualTo("mine");
        assertThat(used).isLessThan(10L << 20);
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }
}
