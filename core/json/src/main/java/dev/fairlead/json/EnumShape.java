package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** An enum: a JSON string, the name of the constant or its {@link JsonName}. */
final class EnumShape<E extends Enum<E>> implements Shape {
    /** A constant, its name on the wire, and its title if it has one. */
    record Constant<E>(E value, String name, @Nullable String title) {}

    private final Map<String, E> constants = new LinkedHashMap<>();
    private final EnumMap<E, String> names;
    private final Map<String, String> titles = new LinkedHashMap<>();
    private final @Nullable String doc;

    EnumShape(Class<E> type, @Nullable String doc, List<Constant<E>> declared) {
        this.doc = doc;
        names = new EnumMap<>(type);
        for (Constant<E> constant : declared) {
            String name = constant.name();
            if (constants.put(name, constant.value()) != null) {
                throw new IllegalArgumentException(
                        type.getName() + " has two constants named " + name);
            }
            names.put(constant.value(), name);
            String title = constant.title();
            if (title != null) {
                titles.put(name, title);
            }
        }
    }

    /** The shape of an enum, by reflection. */
    static <E extends Enum<E>> EnumShape<E> of(Class<E> type, @Nullable String doc) {
        ForeignAnnotations.check(type);
        List<Constant<E>> declared = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            AnnotatedElement field = field(type, constant.name());
            JsonName renamed = field.getAnnotation(JsonName.class);
            declared.add(
                    new Constant<>(
                            constant,
                            renamed == null ? constant.name() : renamed.value(),
                            SchemaBuilder.doc(field)));
        }
        return new EnumShape<>(type, doc, declared);
    }

    private static java.lang.reflect.Field field(Class<?> type, String name) {
        try {
            return type.getField(name);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(type.getName() + " lacks its constant " + name, e);
        }
    }

    private String expected() {
        return "one of " + String.join(", ", constants.keySet());
    }

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        if (reader.kind() != JsonReader.Kind.STRING) {
            return reading.wrongKind(expected(), reader);
        }
        return fromText(reader.string(), reading);
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        writer.string(toText(value));
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        Map<String, JsonValue> schema = SchemaBuilder.type("string");
        List<JsonValue> values = constants.keySet().stream().map(JsonValue::of).toList();
        if (titles.isEmpty()) {
            schema.put("enum", new JsonArray(values));
        } else {
            schema.put("oneOf", titled());
        }
        SchemaBuilder.describe(schema, doc);
        return schema;
    }

    private JsonArray titled() {
        return new JsonArray(
                constants.keySet().stream()
                        .<JsonValue>map(
                                name ->
                                        JsonObject.of(
                                                "const",
                                                name,
                                                "title",
                                                titles.getOrDefault(name, name)))
                        .toList());
    }

    @Override
    public JsonReader.Kind kind() {
        return JsonReader.Kind.STRING;
    }

    @Override
    public boolean isText() {
        return true;
    }

    @Override
    public @Nullable Object fromText(String text, Reading reading) {
        E constant = constants.get(text);
        return constant != null ? constant : reading.fail("must be " + expected());
    }

    @Override
    @SuppressWarnings("unchecked")
    public String toText(Object value) {
        return Objects.requireNonNull(names.get((E) value));
    }
}
