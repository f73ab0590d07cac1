package dev.fairlead.client;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.util.LinkedHashMap;
import java.util.Map;

/** The arguments of a prompt, which are texts. */
final class PromptArguments {
    private PromptArguments() {}

    /**
     * Returns the members of a record; those that are no texts as JSON, those that are null not.
     */
    static Map<String, String> of(Record arguments) {
        Map<String, String> texts = new LinkedHashMap<>();
        members(arguments)
                .members()
                .forEach(
                        (argument, value) -> {
                            if (value instanceof JsonString text) {
                                texts.put(argument, text.value());
                            } else if (!(value instanceof JsonNull)) {
                                texts.put(argument, value.toJson());
                            }
                        });
        return texts;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Record> JsonObject members(T value) {
        JsonValue json = JsonCodec.of((Class<T>) value.getClass()).toValue(value);
        if (json instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException(value.getClass() + " is no object in JSON");
    }
}
