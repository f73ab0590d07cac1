package dev.fairlead.json;

import java.util.LinkedHashMap;
import java.util.Map;

/** {@link RawJson}: any value, as its text. */
enum RawShape implements Shape {
    RAW;

    @Override
    public Object read(JsonReader reader, Reading reading) {
        return reader.raw();
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        writer.raw((RawJson) value);
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
