package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@link JsonValue} and its cases, kept as they are; {@code Object} is read like {@code JsonValue}.
 */
enum TreeShape implements Shape {
    ANY(null, null),
    OBJECT(JsonReader.Kind.OBJECT, "object"),
    ARRAY(JsonReader.Kind.ARRAY, "array"),
    STRING(JsonReader.Kind.STRING, "string"),
    NUMBER(JsonReader.Kind.NUMBER, "number"),
    BOOLEAN(JsonReader.Kind.BOOLEAN, "boolean"),
    NULL(JsonReader.Kind.NULL, "null");

    private final JsonReader.@Nullable Kind kind;
    private final @Nullable String type;

    TreeShape(JsonReader.@Nullable Kind kind, @Nullable String type) {
        this.kind = kind;
        this.type = type;
    }

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        if (this == OBJECT && reader.kind() != kind) {
            return reading.isEmptyArray(reader) ? JsonObject.EMPTY : null;
        }
        if (kind != null && reader.kind() != kind) {
            return reading.wrongKind(kind.phrase(), reader);
        }
        return reader.value(reading);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        writer.value((JsonValue) value);
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        return type == null ? new LinkedHashMap<>() : SchemaBuilder.type(type);
    }

    @Override
    public JsonReader.@Nullable Kind kind() {
        return kind;
    }

    @Override
    public boolean takesNull() {
        return this == ANY || this == NULL;
    }
}
