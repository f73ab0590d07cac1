package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Optional;

/** {@link Optional}: empty where the member is absent or null. */
record OptionalShape(Shape inner) implements Shape {
    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        if (reader.kind() == JsonReader.Kind.NULL && !inner.takesNull()) {
            return Optional.empty();
        }
        Object value = inner.read(reader, reading);
        return value == null ? null : Optional.of(value);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        Object inside = ((Optional<?>) value).orElse(null);
        if (inside == null) {
            writer.nullValue();
        } else {
            inner.write(inside, writer);
        }
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        return SchemaBuilder.orNull(schemas.of(inner));
    }

    @Override
    public JsonReader.@Nullable Kind kind() {
        return inner.kind();
    }

    @Override
    public boolean takesNull() {
        return true;
    }
}
