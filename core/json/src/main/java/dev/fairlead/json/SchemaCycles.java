package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Searches a schema for parts that refer to themselves without a step into the value, so that no
 * value can be checked. References by an anchor or to other documents are left out.
 */
final class SchemaCycles {
    private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf");
    private static final List<String> PARTS = List.of("not", "if", "then", "else");

    private final JsonObject root;
    private final Set<JsonValue> path = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<JsonValue> visited = Collections.newSetFromMap(new IdentityHashMap<>());

    private SchemaCycles(JsonObject root) {
        this.root = root;
    }

    /** Returns whether there is such a part; also where references are too many to follow. */
    static boolean isIn(JsonObject root) {
        try {
            return new SchemaCycles(root).isBelow(root);
        } catch (StackOverflowError e) {
            return true;
        }
    }

    private boolean isBelow(JsonValue value) {
        if (value instanceof JsonObject object) {
            return isAt(object) || object.names().stream().map(object::get).anyMatch(this::isBelow);
        }
        return value instanceof JsonArray array
                && array.elements().stream().anyMatch(this::isBelow);
    }

    private boolean isAt(@Nullable JsonValue schema) {
        if (!(schema instanceof JsonObject object)) {
            return false;
        }
        if (!path.add(object)) {
            return true;
        }
        boolean found = visited.add(object) && leadsBack(object);
        path.remove(object);
        return found;
    }

    private boolean leadsBack(JsonObject schema) {
        return schema.get("$ref") instanceof JsonString reference && isAt(target(reference.value()))
                || PARTS.stream().anyMatch(part -> isAt(schema.get(part)))
                || LISTS.stream()
                        .map(schema::get)
                        .anyMatch(
                                list ->
                                        list instanceof JsonArray array
                                                && array.elements().stream().anyMatch(this::isAt));
    }

    private @Nullable JsonValue target(String reference) {
        if (!reference.equals("#") && !reference.startsWith("#/")) {
            return null;
        }
        JsonValue target = root;
        for (String step : reference.substring(1).split("/")) {
            if (!step.isEmpty()) {
                target = step(target, step);
            }
        }
        return target;
    }

    private static @Nullable JsonValue step(@Nullable JsonValue from, String step) {
        String name = step.replace("~1", "/").replace("~0", "~").replace("+", "%2B");
        try {
            name = URLDecoder.decode(name, StandardCharsets.UTF_8);
            return from instanceof JsonObject object
                    ? object.get(name)
                    : from instanceof JsonArray array
                            ? array.elements().get(Integer.parseInt(name))
                            : null;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return null; // a reference to nothing
        }
    }
}
