package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Reads capabilities of peers that write {@code true} where an empty object belongs. */
final class CapabilityFlags {
    /**
     * The capabilities whose members are flags in the form of objects; elsewhere members are
     * booleans.
     */
    private static final Set<String> NESTED = Set.of("sampling", "elicitation", "tasks");

    private CapabilityFlags() {}

    /** The same parameters or result of {@code initialize} with objects for flags. */
    static RawJson normalize(RawJson json) {
        if (json.value() instanceof JsonObject object
                && object.get("capabilities") instanceof JsonObject capabilities) {
            return RawJson.of(object.with("capabilities", objects(capabilities)));
        }
        return json;
    }

    private static JsonObject objects(JsonObject capabilities) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        capabilities
                .members()
                .forEach(
                        (name, value) -> {
                            if (isAbsent(value)) {
                                return;
                            }
                            JsonValue flag =
                                    value.equals(JsonBoolean.TRUE) ? JsonObject.EMPTY : value;
                            members.put(
                                    name,
                                    NESTED.contains(name) && flag instanceof JsonObject nested
                                            ? objects(nested)
                                            : flag);
                        });
        return new JsonObject(members);
    }

    private static boolean isAbsent(JsonValue value) {
        return value.equals(JsonBoolean.FALSE) || value instanceof JsonNull;
    }
}
