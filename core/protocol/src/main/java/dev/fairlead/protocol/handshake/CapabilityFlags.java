package dev.fairlead.protocol.handshake;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the capabilities and the handshake of peers that write {@code true} where an empty object
 * belongs, and nothing for no capabilities or no name.
 */
public final class CapabilityFlags {
    /**
     * The capabilities whose members are flags in the form of objects; elsewhere members are
     * booleans.
     */
    private static final Set<String> NESTED = Set.of("sampling", "elicitation", "tasks");

    private static final String CAPABILITIES = "capabilities";

    private CapabilityFlags() {}

    /**
     * Returns the parameters or result of {@code initialize}, or the result of {@code
     * server/discover}, with objects for flags.
     */
    public static RawJson normalize(RawJson json) {
        if (!(json.value() instanceof JsonObject object)) {
            return json;
        }
        return switch (object.get(CAPABILITIES)) {
            case JsonObject flags -> RawJson.of(object.with(CAPABILITIES, objects(flags)));
            case JsonArray empty -> json;
            case null, default -> RawJson.of(object.with(CAPABILITIES, JsonObject.EMPTY));
        };
    }

    /** Returns the capabilities of a client with objects for flags; null is none. */
    public static RawJson capabilities(RawJson json) {
        return switch (json.value()) {
            case JsonObject flags -> RawJson.of(objects(flags));
            case JsonNull none -> RawJson.EMPTY_OBJECT;
            case JsonValue other -> json;
        };
    }

    /**
     * Returns the parameters or result of {@code initialize} with a name of the program, possibly
     * empty: no decision follows from it.
     *
     * @param info the member with the program
     */
    public static RawJson named(RawJson json, String info) {
        if (!(json.value() instanceof JsonObject object)) {
            return json;
        }
        JsonObject program =
                object.get(info) instanceof JsonObject known ? known : JsonObject.EMPTY;
        for (String member : List.of("name", "version")) {
            if (!(program.get(member) instanceof JsonString)) {
                program = program.with(member, "");
            }
        }
        return RawJson.of(object.with(info, program));
    }

    private static JsonObject objects(JsonObject capabilities) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        capabilities
                .members()
                .forEach(
                        (name, value) -> {
                            if (isAbsent(value)
                                    || name.equals("elicitation") && deniesEachWay(value)) {
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

    /**
     * Whether a client names ways to ask, none of which can be read: without a name it shows forms.
     */
    private static boolean deniesEachWay(JsonValue elicitation) {
        if (!(elicitation instanceof JsonObject ways)) {
            return false;
        }
        JsonValue form = ways.get("form");
        JsonValue url = ways.get("url");
        boolean named =
                form != null && !(form instanceof JsonNull) || url != null && !isAbsent(url);
        return named && !isFlag(form) && !isFlag(url);
    }

    private static boolean isFlag(@Nullable JsonValue value) {
        return value instanceof JsonObject
                || JsonBoolean.TRUE.equals(value)
                || value instanceof JsonArray array && array.elements().isEmpty();
    }

    private static boolean isAbsent(JsonValue value) {
        return value.equals(JsonBoolean.FALSE) || value instanceof JsonNull;
    }
}
