package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.util.Map;
import java.util.function.Function;

/**
 * A JSON string that stands for a Java value.
 *
 * @param expected the value in messages, such as {@code "a date such as 2026-01-31"}
 * @param parse throws an {@link IllegalArgumentException} or {@link DateTimeException} on other
 *     texts
 * @param keywords those of the schema besides {@code type}, such as {@code format}
 */
record TextShape(
        String expected,
        Function<String, Object> parse,
        Function<Object, String> print,
        JsonObject keywords)
        implements Shape {

    static final TextShape STRING =
            new TextShape("a string", text -> text, value -> (String) value, JsonObject.EMPTY);

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        if (reader.kind() != JsonReader.Kind.STRING) {
            return reading.wrongKind(expected, reader);
        }
        return fromText(reader.string(), reading);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        writer.string(print.apply(value));
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        Map<String, JsonValue> schema = SchemaBuilder.type("string");
        schema.putAll(keywords.members());
        return schema;
    }

    @Override
    public JsonReader.Kind kind() {
        return JsonReader.Kind.STRING;
    }

    @Override
    public boolean isText() {
        return true;
    }

    @Override
    public @Nullable Object fromText(String text, Reading reading) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException | DateTimeException e) {
            return reading.fail("must be " + expected);
        }
    }

    @Override
    public String toText(Object value) {
        return print.apply(value);
    }
}
