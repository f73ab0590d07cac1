package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code Object}: written by the class of the value at hand, read as a {@link JsonValue}. */
enum AnyShape implements Shape {
    ANY;

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        return TreeShape.ANY.read(reader, reading);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        writeAny(value, writer);
    }

    private static void writeAny(@Nullable Object value, JsonWriter writer) {
        switch (value) {
            case null -> writer.nullValue();
            case JsonValue json -> writer.value(json);
            case Collection<?> elements -> {
                writer.beginArray();
                elements.forEach(element -> writeAny(element, writer));
                writer.endArray();
            }
            case Map<?, ?> map -> {
                writer.beginObject();
                map.forEach((name, member) -> writeAny(member, writer.name(String.valueOf(name))));
                writer.endObject();
            }
            case Enum<?> constant -> writeAs(constant.getDeclaringClass(), constant, writer);
            default -> writeAs(value.getClass(), value, writer);
        }
    }

    private static void writeAs(Class<?> type, Object value, JsonWriter writer) {
        JsonCodec.of(type).shape().write(value, writer);
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        return new LinkedHashMap<>();
    }

    @Override
    public boolean takesNull() {
        return true;
    }
}
