package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/** The JSON literals true and false. */
enum BooleanShape implements Shape {
    BOOLEAN;

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        if (reader.kind() == JsonReader.Kind.BOOLEAN) {
            return reader.bool();
        }
        if (reader.kind() == JsonReader.Kind.STRING && reading.fromText()) {
            return fromText(reader.string(), reading);
        }
        return reading.wrongKind("a boolean", reader);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        writer.bool((boolean) value);
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        return SchemaBuilder.type("boolean");
    }

    @Override
    public JsonReader.Kind kind() {
        return JsonReader.Kind.BOOLEAN;
    }

    @Override
    public boolean isText() {
        return true;
    }

    @Override
    public @Nullable Object fromText(String text, Reading reading) {
        return switch (text.strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> reading.fail("must be true or false");
        };
    }

    @Override
    public String toText(Object value) {
        return value.toString();
    }
}
