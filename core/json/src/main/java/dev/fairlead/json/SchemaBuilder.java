package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AnnotatedElement;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the schema of a shape. Everything is written in place, since models and simple clients
 * understand that; only a type that contains itself becomes a definition that is referred to.
 */
final class SchemaBuilder {
    private static final int MAX_TYPES = 5000;

    private final Map<Shape, Boolean> open =
            new IdentityHashMap<>(); // being written: true if referred to meanwhile
    private final Map<Shape, String> names = new IdentityHashMap<>();
    private final Map<String, Integer> used = new HashMap<>();
    private final Map<String, JsonValue> definitions = new LinkedHashMap<>();
    private int written;

    /** The schema of a shape, complete with its definitions. */
    static JsonObject schema(Shape root) {
        SchemaBuilder builder = new SchemaBuilder();
        builder.names.put(root, "#");
        Map<String, JsonValue> schema = root.schema(builder.opened(root));
        if (!builder.definitions.isEmpty()) {
            schema.put("$defs", new JsonObject(builder.definitions));
        }
        return new JsonObject(schema);
    }

    private SchemaBuilder opened(Shape shape) {
        open.put(shape, false);
        return this;
    }

    /** The schema of a shape inside another, as members that the caller may add to. */
    Map<String, JsonValue> of(Shape shape) {
        if (simpleName(shape) == null) {
            return shape.schema(this);
        }
        String name = names.get(shape);
        if (open.containsKey(shape) || name != null) {
            open.computeIfPresent(shape, (s, referred) -> true);
            return reference(name == null ? nameOf(shape) : name);
        }
        if (++written > MAX_TYPES) {
            throw new IllegalArgumentException(
                    "the schema would have more than " + MAX_TYPES + " objects");
        }
        open.put(shape, false);
        Map<String, JsonValue> schema = shape.schema(this);
        if (!open.remove(shape)) {
            return schema;
        }
        String definition = nameOf(shape);
        definitions.put(definition, new JsonObject(schema));
        return reference(definition);
    }

    private String nameOf(Shape shape) {
        return names.computeIfAbsent(
                shape,
                s -> {
                    String name = String.valueOf(simpleName(s));
                    int count = used.merge(name, 1, Integer::sum);
                    return count == 1 ? name : name + count;
                });
    }

    /** The name of a type that may contain itself, or null for any other. */
    private static @Nullable String simpleName(Shape shape) {
        if (shape instanceof RecordShape type) {
            return type.name();
        } else if (shape instanceof SealedShape type) {
            return type.type().getSimpleName();
        }
        return shape instanceof InlineShape type ? type.name() : null;
    }

    private static Map<String, JsonValue> reference(String name) {
        Map<String, JsonValue> schema = new LinkedHashMap<>();
        schema.put("$ref", new JsonString(name.equals("#") ? name : "#/$defs/" + name));
        return schema;
    }

    static Map<String, JsonValue> type(String type) {
        Map<String, JsonValue> schema = new LinkedHashMap<>();
        schema.put("type", new JsonString(type));
        return schema;
    }

    static @Nullable String doc(AnnotatedElement element) {
        Doc doc = element.getAnnotation(Doc.class);
        return doc == null ? null : doc.value();
    }

    static void describe(Map<String, JsonValue> schema, @Nullable String doc) {
        if (doc != null) {
            schema.put("description", new JsonString(doc));
        }
    }

    /** The schema that also takes null. */
    static Map<String, JsonValue> orNull(Map<String, JsonValue> schema) {
        boolean closed = schema.containsKey("enum") || schema.containsKey("oneOf");
        if (schema.isEmpty() || takesNull(schema)) {
            return schema;
        }
        if (!closed && schema.get("type") instanceof JsonString type) {
            schema.put("type", JsonArray.of(type, "null"));
            return schema;
        }
        Map<String, JsonValue> either = new LinkedHashMap<>();
        either.put(
                "anyOf",
                new JsonArray(List.of(new JsonObject(schema), JsonObject.of("type", "null"))));
        return either;
    }

    /** Whether the schema is one that {@link #orNull} made. */
    private static boolean takesNull(Map<String, JsonValue> schema) {
        return schema.get("type") instanceof JsonArray
                || schema.get("anyOf") instanceof JsonArray either
                        && either.elements().contains(JsonObject.of("type", "null"));
    }
}
