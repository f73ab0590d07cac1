package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/** A record marked {@link JsonInline}: on the wire its only component. */
final class InlineShape implements Shape {
    private final RecordAccess access;
    private final Component component;

    InlineShape(RecordAccess access, Component component) {
        this.access = access;
        this.component = component;
    }

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        int mark = reading.mark();
        return construct(component.read(reader, reading), reading, mark);
    }

    /** Makes the record of a component value that was read after the mark. */
    @Nullable Object construct(@Nullable Object value, Reading reading, int mark) {
        return reading.failedSince(mark) ? null : access.construct(new Object[] {value}, reading);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        Object inside = component.get(value);
        if (inside == null) {
            writer.nullValue();
        } else {
            component.shape().write(inside, writer);
        }
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        return component.schema(schemas);
    }

    @Override
    public JsonReader.@Nullable Kind kind() {
        return component.shape().kind();
    }

    @Override
    public boolean takesNull() {
        return component.shape().takesNull();
    }

    @Override
    public boolean isText() {
        return component.shape().isText();
    }

    @Override
    public @Nullable Object fromText(String text, Reading reading) {
        int mark = reading.mark();
        return construct(
                component.check(component.shape().fromText(text, reading), reading), reading, mark);
    }

    @Override
    public String toText(Object value) {
        Object inside = component.get(value);
        if (inside == null) {
            throw new IllegalArgumentException("a map key is null");
        }
        return component.shape().toText(inside);
    }
}
