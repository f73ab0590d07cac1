package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/** {@link JsonSchema}: an object, kept as it is. */
enum SchemaShape implements Shape {
    SCHEMA;

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        Object json = TreeShape.OBJECT.read(reader, reading);
        return json == null ? null : JsonSchema.of((JsonObject) json);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        writer.value(((JsonSchema) value).json());
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        return SchemaBuilder.type("object");
    }

    @Override
    public JsonReader.Kind kind() {
        return JsonReader.Kind.OBJECT;
    }
}
