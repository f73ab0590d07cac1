package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A JSON object; its members keep their order.
 *
 * <p>{@link #get} finds any member. The typed accessors ({@link #string} and its siblings) are for
 * members that must be there: they throw an {@link IllegalArgumentException} that names the member
 * and the expected type.
 *
 * @param members the members by name, in their order; unmodifiable
 */
public record JsonObject(Map<String, JsonValue> members) implements JsonValue {
    /** The object without members. */
    public static final JsonObject EMPTY = new JsonObject(Map.of());

    /** Keeps a copy of the members. */
    public JsonObject {
        members =
                Collections.unmodifiableMap(
                        members instanceof Own ? members : new LinkedHashMap<>(members));
    }

    /** Members that only the object has which is made of them, and which need no copy. */
    static final class Own extends LinkedHashMap<String, JsonValue> {
        private static final long serialVersionUID = 1;

        Own() {}

        private Own(Map<String, JsonValue> members) {
            super(members);
        }
    }

    /**
     * An object of alternating names and values, each value a {@link JsonValue}, text, number,
     * boolean, collection, map or null (which becomes {@link JsonNull}).
     *
     * @throws IllegalArgumentException if a name has no value, stands twice, or a value has no JSON
     *     form
     */
    public static JsonObject of(@Nullable Object... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "names and values must alternate, but there are " + namesAndValues.length);
        }
        Map<String, JsonValue> members = new Own();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String name = (String) Objects.requireNonNull(namesAndValues[i], "name");
            if (members.put(name, toValue(namesAndValues[i + 1])) != null) {
                throw new IllegalArgumentException("the member " + name + " stands twice");
            }
        }
        return new JsonObject(members);
    }

    static JsonValue toValue(@Nullable Object value) {
        if (value == null) {
            return JsonNull.NULL;
        } else if (value instanceof JsonValue json) {
            return json;
        } else if (value instanceof String text) {
            return new JsonString(text);
        } else if (value instanceof Boolean flag) {
            return JsonValue.of(flag.booleanValue());
        } else if (value instanceof Number number) {
            return JsonNumber.of(number);
        } else if (value instanceof Collection<?> elements) {
            List<JsonValue> values = new ArrayList<>(elements.size());
            elements.forEach(element -> values.add(toValue(element)));
            return new JsonArray(values);
        } else if (value instanceof Map<?, ?> map) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            map.forEach((name, member) -> members.put(String.valueOf(name), toValue(member)));
            return new JsonObject(members);
        }
        throw new IllegalArgumentException("no JSON value for " + value.getClass().getName());
    }

    /** The member of this name, or null where there is none. */
    public @Nullable JsonValue get(String name) {
        return members.get(name);
    }

    /** Whether there is a member of this name, be it null. */
    public boolean has(String name) {
        return members.containsKey(name);
    }

    /** Whether there are no members. */
    public boolean isEmpty() {
        return members.isEmpty();
    }

    /** The number of members. */
    public int size() {
        return members.size();
    }

    /** The names of the members, in their order. */
    public Set<String> names() {
        return members.keySet();
    }

    /** The text of a member that must be a string. */
    public String string(String name) {
        return require(name, "a string", JsonString.class).value();
    }

    /** The value of a member that must be a whole number of at most 64 bits. */
    public long integer(String name) {
        JsonNumber number = require(name, "an integer", JsonNumber.class);
        if (!number.isLong()) {
            throw new IllegalArgumentException(name + " must be an integer but was " + number);
        }
        return number.longValue();
    }

    /** The value of a member that must be a number, rounded where it must be. */
    public double number(String name) {
        return require(name, "a number", JsonNumber.class).doubleValue();
    }

    /** The value of a member that must be a boolean. */
    public boolean bool(String name) {
        return require(name, "a boolean", JsonBoolean.class).value();
    }

    /** The value of a member that must be an object. */
    public JsonObject object(String name) {
        return require(name, "an object", JsonObject.class);
    }

    /** The value of a member that must be an array. */
    public JsonArray array(String name) {
        return require(name, "an array", JsonArray.class);
    }

    private <T extends JsonValue> T require(String name, String expected, Class<T> type) {
        JsonValue value = members.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " must be " + expected + " but is missing");
        }
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    name + " must be " + expected + " but was " + kind(value));
        }
        return type.cast(value);
    }

    static String kind(JsonValue value) {
        return switch (value) {
            case JsonObject o -> "an object";
            case JsonArray a -> "an array";
            case JsonString s -> "a string";
            case JsonNumber n -> "a number";
            case JsonBoolean b -> "a boolean";
            case JsonNull n -> "null";
        };
    }

    /** A copy with this member added or replaced in its place. */
    public JsonObject with(String name, @Nullable Object value) {
        Own copy = new Own(members);
        copy.put(name, toValue(value));
        return new JsonObject(copy);
    }

    /** A copy with these members added or replaced. */
    public JsonObject with(JsonObject other) {
        if (other.isEmpty()) {
            return this;
        }
        Own copy = new Own(members);
        copy.putAll(other.members);
        return new JsonObject(copy);
    }

    /** A copy without these members. */
    public JsonObject without(String... names) {
        Own copy = null;
        for (String name : names) {
            if (members.containsKey(name)) {
                copy = copy == null ? new Own(members) : copy;
                copy.remove(name);
            }
        }
        return copy == null ? this : new JsonObject(copy);
    }

    @Override
    public String toString() {
        return toJson();
    }
}
