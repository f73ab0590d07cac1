package dev.fairlead.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes values for a schema: most of them fit, some have one thing wrong with them. */
final class RandomInstance {
    private static final int MAX_DEPTH = 8;

    private final JsonObject root;
    private final Random random;
    private final double mutation;

    RandomInstance(JsonSchema schema, Random random, double mutation) {
        this.root = schema.json();
        this.random = random;
        this.mutation = mutation;
    }

    JsonValue next() {
        return make(root, 0);
    }

    private JsonValue make(JsonObject schema, int depth) {
        if (random.nextDouble() < mutation) {
            return anything();
        }
        if (schema.get("$ref") instanceof JsonString reference) {
            return make(resolve(reference.value()), depth);
        }
        for (String choice : List.of("oneOf", "anyOf")) {
            if (schema.get(choice) instanceof JsonArray cases) {
                JsonValue chosen = depth < MAX_DEPTH ? pick(cases.elements()) : cases.get(0);
                return make((JsonObject) chosen, depth);
            }
        }
        if (schema.has("const")) {
            return schema.get("const");
        }
        if (schema.get("enum") instanceof JsonArray values) {
            return pick(values.elements());
        }
        return ofType(schema, type(schema), depth);
    }

    private String type(JsonObject schema) {
        return switch (schema.get("type")) {
            case JsonString type -> type.value();
            case JsonArray types -> ((JsonString) pick(types.elements())).value();
            case null, default -> "any";
        };
    }

    private JsonValue ofType(JsonObject schema, String type, int depth) {
        return switch (type) {
            case "object" -> object(schema, depth);
            case "array" -> array(schema, depth);
            case "string" -> string(schema);
            case "integer" -> JsonValue.of(bounded(schema, 1).longValue());
            case "number" -> new JsonNumber(bounded(schema, 4));
            case "boolean" -> JsonValue.of(random.nextBoolean());
            case "null" -> JsonNull.NULL;
            default -> anything();
        };
    }

    private JsonObject resolve(String reference) {
        if (reference.equals("#")) {
            return root;
        }
        return root.object("$defs").object(reference.substring("#/$defs/".length()));
    }

    private JsonValue object(JsonObject schema, int depth) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        JsonObject properties =
                schema.has("properties") ? schema.object("properties") : JsonObject.EMPTY;
        List<JsonValue> required =
                schema.has("required") ? schema.array("required").elements() : List.of();
        properties
                .members()
                .forEach(
                        (name, member) -> {
                            boolean must = required.contains(new JsonString(name));
                            double likely = must ? 1 - mutation : depth < MAX_DEPTH ? 0.6 : 0;
                            if (random.nextDouble() < likely) {
                                JsonValue value = make((JsonObject) member, depth + 1);
                                // An explicit null for an optional member is taken by the codec
                                // alone.
                                if (value != JsonNull.NULL || must) {
                                    members.put(name, value);
                                }
                            }
                        });
        if (schema.get("additionalProperties") instanceof JsonObject others) {
            int count = depth < MAX_DEPTH ? random.nextInt(4) : 0;
            for (int i = 0; i < count; i++) {
                members.put(key(schema), make(others, depth + 1));
            }
        } else if (random.nextDouble() < mutation) {
            members.put("x" + random.nextInt(3), anything());
        }
        return new JsonObject(members);
    }

    private String key(JsonObject schema) {
        if (schema.get("propertyNames") instanceof JsonObject names
                && make(names, 0) instanceof JsonString name) {
            return name.value();
        }
        return "k" + random.nextInt(5);
    }

    private JsonValue array(JsonObject schema, int depth) {
        List<JsonValue> elements = new ArrayList<>();
        int count = depth < MAX_DEPTH ? random.nextInt(4) : 0;
        for (int i = 0; i < count; i++) {
            JsonValue element = make(schema.object("items"), depth + 1);
            if (!schema.has("uniqueItems")
                    || !elements.contains(element)
                    || random.nextDouble() < mutation) {
                elements.add(element);
            }
        }
        return new JsonArray(elements);
    }

    private JsonValue string(JsonObject schema) {
        if (schema.get("format") instanceof JsonString format) {
            return JsonValue.of(
                    switch (format.value()) {
                        case "date" -> "2026-01-31";
                        case "date-time" -> "2026-01-31T10:15:30Z";
                        case "uri-reference" -> "https://example.com/a";
                        case "uuid" -> "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
                        default -> "a@example.com";
                    });
        }
        if (schema.get("pattern") instanceof JsonString pattern
                && pattern.value().startsWith("^-?P")
                && random.nextDouble() >= mutation) {
            return JsonValue.of("PT5M");
        }
        if (schema.has("contentEncoding")) {
            return JsonValue.of("AQID");
        }
        return JsonValue.of(
                pick(
                        List.of(
                                "",
                                "a",
                                "ab-12",
                                "ABC",
                                "ü",
                                "🌍",
                                "🌍🌍🌍",
                                "x".repeat(30),
                                "a\nb",
                                "abc\n")));
    }

    private BigDecimal bounded(JsonObject schema, int parts) {
        long min = schema.has("minimum") ? (long) schema.number("minimum") : -50;
        long max = schema.has("maximum") ? (long) schema.number("maximum") : 50;
        long edge = random.nextDouble() < mutation ? 3 : 0;
        long value =
                (min - edge) * parts + random.nextInt((int) ((max - min + 2 * edge) * parts + 1));
        return BigDecimal.valueOf(value).divide(BigDecimal.valueOf(parts));
    }

    private JsonValue anything() {
        return switch (random.nextInt(7)) {
            case 0 -> JsonValue.of(random.nextInt(20) - 10);
            case 1 -> JsonValue.of(random.nextInt(20) / 4.0);
            case 2 -> JsonValue.of(random.nextBoolean());
            case 3 -> JsonValue.of("text" + random.nextInt(5));
            case 4 -> JsonArray.of(random.nextInt(3), "a");
            case 5 -> JsonObject.of("type", "Text", "x", random.nextInt(3));
            default -> JsonNull.NULL;
        };
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
