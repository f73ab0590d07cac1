package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A list marked {@link JsonOneOrMany}. */
record OneOrManyShape(ArrayShape.OfList list) implements Shape {
    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        if (reader.kind() == JsonReader.Kind.ARRAY) {
            return list.read(reader, reading);
        }
        long mark = reading.mark();
        List<@Nullable Object> one = new ArrayList<>(1);
        one.add(list.element().read(reader, reading));
        return reading.failedSince(mark) ? null : list.collect(one, reading);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        Collection<?> elements = (Collection<?>) value;
        Object only = elements.size() == 1 ? elements.iterator().next() : null;
        if (only == null) {
            list.write(value, writer);
        } else {
            list.element().write(only, writer);
        }
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        Map<String, JsonValue> schema = new LinkedHashMap<>();
        JsonObject one = new JsonObject(schemas.of(list.element()));
        schema.put("anyOf", new JsonArray(List.of(one, new JsonObject(list.schema(schemas)))));
        return schema;
    }
}
