package dev.fairlead.cli.view;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a value in the arguments of a tool, such as {@code travellers[0].name}.
 *
 * @param key as it was typed
 * @param steps from the arguments on, such as {@code travellers}, {@code [0]}, {@code name}
 */
record ArgumentPath(String key, List<String> steps) {
    private static final String NAME = "[^.\\[\\]]++";
    private static final Pattern STEP = Pattern.compile("\\.(" + NAME + ")|(\\[[0-9]{1,4}])");
    private static final Pattern PATH =
            Pattern.compile("(" + NAME + ")((?:\\." + NAME + "|\\[[0-9]{1,4}])*+)");

    /** The place that a key names; the whole key where it is not written as a path. */
    static ArgumentPath of(String key) {
        Matcher path = PATH.matcher(key);
        if (!path.matches()) {
            return whole(key);
        }
        List<String> steps = new ArrayList<>(List.of(path.group(1)));
        Matcher step = STEP.matcher(path.group(2));
        while (step.find()) {
            steps.add(step.group(1) == null ? step.group(2) : step.group(1));
        }
        return new ArgumentPath(key, List.copyOf(steps));
    }

    /** The argument whose name is the key. */
    static ArgumentPath whole(String key) {
        return new ArgumentPath(key, List.of(key));
    }

    static boolean isIndex(String step) {
        return step.startsWith("[");
    }

    /** The name of the argument. */
    String argument() {
        return steps.getFirst();
    }

    /** Returns whether it is the argument itself. */
    boolean isWhole() {
        return steps.size() == 1;
    }

    /**
     * Puts a value at this place.
     *
     * @throws IllegalArgumentException if a value on the way is of another kind, or an element
     *     before it is missing
     */
    JsonObject put(JsonObject arguments, JsonValue value) {
        return isWhole()
                ? arguments.with(key, value)
                : arguments.with(argument(), put(arguments.get(argument()), 1, value));
    }

    private JsonValue put(@Nullable JsonValue current, int index, JsonValue value) {
        if (index == steps.size()) {
            return value;
        }
        String step = steps.get(index);
        return isIndex(step)
                ? inArray(
                        current,
                        Integer.parseInt(step.substring(1, step.length() - 1)),
                        index,
                        value)
                : inObject(current, step, index, value);
    }

    private JsonValue inObject(
            @Nullable JsonValue current, String name, int index, JsonValue value) {
        JsonValue object = current == null ? JsonObject.EMPTY : current;
        if (!(object instanceof JsonObject members)) {
            throw new IllegalArgumentException(key + " is within a value that is not an object");
        }
        return members.with(name, put(members.get(name), index + 1, value));
    }

    private JsonValue inArray(
            @Nullable JsonValue current, int element, int index, JsonValue value) {
        JsonValue array = current == null ? JsonArray.EMPTY : current;
        if (!(array instanceof JsonArray elements)) {
            throw new IllegalArgumentException(key + " is within a value that is not an array");
        }
        List<JsonValue> all = new ArrayList<>(elements.elements());
        if (element > all.size()) {
            throw new IllegalArgumentException(
                    key + " is given, but the element [" + all.size() + "] before it is not");
        }
        JsonValue old = element == all.size() ? null : all.get(element);
        JsonValue next = put(old, index + 1, value);
        if (element == all.size()) {
            all.add(next);
        } else {
            all.set(element, next);
        }
        return new JsonArray(all);
    }
}
