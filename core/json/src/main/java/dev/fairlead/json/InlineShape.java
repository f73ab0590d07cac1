package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Objects;

/** A record marked {@link JsonInline}: on the wire its only component(). */
final class InlineShape implements Shape {
    private final Class<?> type;
    private final RecordAccess access;

    // Set once by define, before the codec is published: a list of records of one list contains
    // itself.
    private @Nullable Component defined;

    InlineShape(Class<?> type, RecordAccess access) {
        this.type = type;
        this.access = access;
    }

    /** Completes the shape. */
    void define(Component component) {
        defined = component;
    }

    /** The name in schemas. */
    String name() {
        return type.getSimpleName();
    }

    private Component component() {
        return Objects.requireNonNull(defined, "used before it was defined");
    }

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        long mark = reading.mark();
        return construct(component().read(reader, reading), reading, mark);
    }

    /** Makes the record of a component value that was read after the mark. */
    @Nullable Object construct(@Nullable Object value, Reading reading, long mark) {
        return reading.failedSince(mark) ? null : access.construct(new Object[] {value}, reading);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        Object inside = component().get(value);
        if (inside == null) {
            writer.nullValue();
        } else {
            component().shape().write(inside, writer);
        }
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        return component().schema(schemas, !component().isRequired());
    }

    @Override
    public JsonReader.@Nullable Kind kind() {
        return component().shape().kind();
    }

    @Override
    public boolean takesNull() {
        return component().shape().takesNull();
    }

    @Override
    public boolean isText() {
        return defined != null && defined.shape().isText();
    }

    @Override
    public @Nullable Object fromText(String text, Reading reading) {
        long mark = reading.mark();
        return construct(
                component().check(component().shape().fromText(text, reading), reading),
                reading,
                mark);
    }

    @Override
    public String toText(Object value) {
        Object inside = component().get(value);
        if (inside == null) {
            throw new IllegalArgumentException("a map key is null");
        }
        return component().shape().toText(inside);
    }
}
