package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map: a JSON object of any members, in the order of the text. Its keys are types with a text
 * form.
 */
record MapShape(Shape key, Shape value) implements Shape {
    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        if (reader.kind() != JsonReader.Kind.OBJECT) {
            return reading.isEmptyArray(reader) ? Map.of() : null;
        }
        long start = reading.mark();
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        reader.beginObject();
        for (String name = reader.nextName(); name != null; name = reader.nextName()) {
            long mark = reading.mark();
            Object mapKey = key.fromText(name, reading);
            if (mapKey != null && map.containsKey(mapKey)) {
                reading.fail("is there twice");
            }
            map.put(mapKey, value.read(reader, reading));
            reading.under(mark, name);
        }
        return reading.failedSince(start) ? null : Collections.unmodifiableMap(map);
    }

    @Override
    public void write(Object map, JsonWriter writer) {
        writer.beginObject();
        ((Map<?, ?>) map)
                .forEach(
                        (name, member) -> {
                            writer.name(key.toText(name));
                            if (member == null) {
                                writer.nullValue();
                            } else {
                                value.write(member, writer);
                            }
                        });
        writer.endObject();
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        Map<String, JsonValue> schema = SchemaBuilder.type("object");
        Map<String, JsonValue> names = schemas.of(key);
        names.remove("type");
        if (names.containsKey("enum") || names.containsKey("oneOf")) {
            schema.put("propertyNames", new JsonObject(names));
        }
        schema.put("additionalProperties", new JsonObject(schemas.of(value)));
        return schema;
    }

    @Override
    public JsonReader.Kind kind() {
        return JsonReader.Kind.OBJECT;
    }
}
