package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/** An element or map value that may be null: {@code List<@Nullable String>}. */
record NullableShape(Shape inner) implements Shape {
    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        return reader.kind() == JsonReader.Kind.NULL ? null : inner.read(reader, reading);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        inner.write(value, writer);
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        return SchemaBuilder.orNull(schemas.of(inner));
    }

    @Override
    public boolean takesNull() {
        return true;
    }
}
