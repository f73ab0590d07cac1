package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A sealed interface: objects distinguished by a discriminator, and scalars distinguished by their
 * kind.
 *
 * <p>A discriminator that comes first, as nearly all writers put it, costs nothing. One that comes
 * later is looked up ahead of the members by a second reader over the same bytes.
 */
final class SealedShape implements Shape {
    private final Class<?> type;
    private final @Nullable String doc;
    private final String discriminator;
    private final String valueOfAbsent;
    private final Map<Class<?>, Shape> byClass = new HashMap<>();
    private final Map<String, RecordShape> objects = new LinkedHashMap<>();
    private final EnumMap<JsonReader.Kind, InlineShape> inlines =
            new EnumMap<>(JsonReader.Kind.class);

    SealedShape(Class<?> type, @Nullable String doc, String discriminator, String valueOfAbsent) {
        this.type = type;
        this.doc = doc;
        this.discriminator = discriminator;
        this.valueOfAbsent = valueOfAbsent;
    }

    Class<?> type() {
        return type;
    }

    void defineObject(Class<?> recordType, String value, RecordShape shape) {
        byClass.put(recordType, shape);
        if (objects.put(value, shape) != null) {
            throw new IllegalArgumentException(type.getName() + " has two cases named " + value);
        }
    }

    void defineInline(Class<?> recordType, InlineShape shape) {
        JsonReader.Kind kind = shape.kind();
        if (kind == null || inlines.put(kind, shape) != null) {
            throw new IllegalArgumentException(
                    recordType.getName()
                            + " cannot be distinguished from the other cases of "
                            + type.getName());
        }
        byClass.put(recordType, shape);
    }

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        if (reader.kind() != JsonReader.Kind.OBJECT || objects.isEmpty()) {
            InlineShape inline = inlines.get(reader.kind());
            return inline == null
                    ? reading.wrongKind(expected(), reader)
                    : inline.read(reader, reading);
        }
        int start = reader.position();
        reader.beginObject();
        String first = reader.nextName();
        if (discriminator.equals(first) && reader.kind() == JsonReader.Kind.STRING) {
            String value = reader.string();
            RecordShape shape = objects.get(value);
            if (shape != null) {
                return shape.readMembers(reader, reading, reader.nextName(), discriminator);
            }
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members.put(discriminator, new JsonString(value));
            return readOther(reader, reading, value, members, reader.nextName());
        }
        RawJson found = reader.find(start, discriminator);
        String value = found == null ? valueOfAbsent : text(found);
        RecordShape shape = value == null ? null : objects.get(value);
        if (shape != null) {
            return shape.readMembers(reader, reading, first, null);
        }
        return found == null
                ? refuse("is missing", reader, reading, first)
                : readOther(reader, reading, value, new LinkedHashMap<>(), first);
    }

    private static @Nullable String text(RawJson json) {
        try (JsonReader reader = json.reader()) {
            return reader.kind() == JsonReader.Kind.STRING ? reader.string() : null;
        }
    }

    /** Takes an object whose discriminator has the value of no case; null if it is not a string. */
    private @Nullable Object readOther(
            JsonReader reader,
            Reading reading,
            @Nullable String value,
            Map<String, JsonValue> members,
            @Nullable String next) {
        long mark = reading.mark();
        InlineShape fallback = inlines.get(JsonReader.Kind.OBJECT);
        if (fallback != null && value != null) {
            return fallback.construct(reader.restOfObject(members, next, reading), reading, mark);
        }
        return refuse(
                "must be one of " + String.join(", ", objects.keySet()), reader, reading, next);
    }

    private @Nullable Object refuse(
            String message, JsonReader reader, Reading reading, @Nullable String next) {
        long mark = reading.mark();
        for (String name = next; name != null; name = reader.nextName()) {
            reader.skip();
        }
        reading.fail(message);
        reading.under(mark, discriminator);
        return null;
    }

    private String expected() {
        List<String> kinds = new ArrayList<>();
        if (!objects.isEmpty()) {
            kinds.add(JsonReader.Kind.OBJECT.phrase());
        }
        for (JsonReader.Kind kind : inlines.keySet()) {
            if (!kinds.contains(kind.phrase())) {
                kinds.add(kind.phrase());
            }
        }
        return String.join(" or ", kinds);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        Shape shape = byClass.get(value.getClass());
        if (shape == null) {
            throw new IllegalArgumentException(
                    value.getClass().getName() + " is no case of " + type.getName());
        }
        shape.write(value, writer);
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        List<JsonValue> cases = new ArrayList<>();
        objects.values().forEach(shape -> cases.add(new JsonObject(schemas.of(shape))));
        inlines.forEach(
                (kind, shape) ->
                        cases.add(
                                kind == JsonReader.Kind.OBJECT && !objects.isEmpty()
                                        ? unknownCase()
                                        : new JsonObject(schemas.of(shape))));
        Map<String, JsonValue> schema = new LinkedHashMap<>();
        if (kind() == JsonReader.Kind.OBJECT) {
            schema.put("type", new JsonString("object"));
        }
        SchemaBuilder.describe(schema, doc);
        schema.put("oneOf", new JsonArray(cases));
        return schema;
    }

    private JsonObject unknownCase() {
        JsonObject other =
                JsonObject.of(
                        "type",
                        "string",
                        "not",
                        JsonObject.of("enum", List.copyOf(objects.keySet())));
        return JsonObject.of(
                "type", "object",
                "properties", JsonObject.of(discriminator, other),
                "required", List.of(discriminator));
    }

    @Override
    public JsonReader.@Nullable Kind kind() {
        if (inlines.isEmpty()) {
            return JsonReader.Kind.OBJECT;
        }
        boolean one =
                inlines.size() == 1
                        && (objects.isEmpty() || inlines.containsKey(JsonReader.Kind.OBJECT));
        return one ? inlines.keySet().iterator().next() : null;
    }
}
