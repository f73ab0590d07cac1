package dev.fairlead.browser;

import com.microsoft.playwright.Locator;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A person who fills in every field of a form with a value that fits its schema. */
final class FormFiller {
    /** The depth at which optional fields are left out, since a schema may contain itself. */
    private static final int DEEP = 2;

    private static final Map<String, String> PATTERNS =
            Map.of(
                    "^[A-Z]{2}[0-9]{2}$",
                    "AB12", "^(?:NT[0-9]{1,2})$", "NT12", "^(?:B[0-9]{1,9})$", "B1");
    private static final Map<String, String> FORMATS =
            Map.of(
                    "date",
                    "2026-11-29",
                    "email",
                    "ada@example.org",
                    "uri",
                    "https://example.org/a",
                    "date-time",
                    "2026-11-29T10:15:30Z");

    private final Locator place;
    private final JsonObject root;

    /**
     * @param place the part of the page that has the form
     * @param root the schema of the form
     */
    FormFiller(Locator place, JsonObject root) {
        this.place = place;
        this.root = root;
    }

    /** Fills in the form, and returns the arguments that it should send. */
    JsonObject fill() {
        return members(resolved(root), "", 0);
    }

    private JsonObject members(JsonObject schema, String path, int depth) {
        Map<String, JsonValue> values = new LinkedHashMap<>();
        Set<String> required = new HashSet<>();
        for (JsonValue name : array(schema, "required")) {
            required.add(((JsonString) name).value());
        }
        object(schema, "properties")
                .members()
                .forEach(
                        (name, raw) -> {
                            boolean isRequired = required.contains(name);
                            JsonObject member = resolved(raw);
                            boolean isConstant = member.has("const") && !isRequired;
                            if (isRequired || (depth < DEEP && !isConstant)) {
                                values.put(
                                        name, field(member, join(path, name), isRequired, depth));
                            }
                        });
        if (schema.get("additionalProperties") instanceof JsonObject entry) {
            addEntry(path);
            values.put("extra", field(resolved(entry), join(path, "extra"), true, depth + 1));
        }
        return new JsonObject(values);
    }

    private void addEntry(String path) {
        Locator row = group(path).locator(":scope > .row, :scope > .nested > .row").last();
        row.locator("input").fill("extra");
        row.locator("button").click();
    }

    private JsonValue field(JsonObject schema, String path, boolean isRequired, int depth) {
        return switch (Kind.of(schema)) {
            case CONSTANT -> schema.get("const");
            case CHOICE -> choose(Kind.choices(schema), path);
            case BOOLEAN -> tick(path, isRequired);
            case NUMBER -> type(path, number(schema).toJson(), number(schema));
            case TEXT -> type(path, text(schema), new JsonString(text(schema)));
            case FLAGS -> flags(schema, path);
            case ARRAY -> items(schema, path, depth);
            case VARIANTS -> variant(schema, path, depth);
            case OBJECT -> {
                add(path);
                yield members(schema, path, depth + 1);
            }
            case ANY -> type(path, "{\"free\":1}", JsonObject.of("free", 1));
        };
    }

    /** Adds a group that is optional, unless it is there. */
    private void add(String path) {
        Locator button = group(path).locator(":scope > button:text-is('Add')");
        if (button.count() > 0) {
            button.click();
        }
    }

    private Locator group(String path) {
        return place.locator(path.isEmpty() ? ".fields" : "[data-path='" + path + "']");
    }

    private Locator control(String path) {
        return place.locator(id(path));
    }

    /** Returns the selector of a field, whose id begins with the question that it belongs to. */
    static String id(String path) {
        return ":is([id='f-" + path + "'], [id$='-f-" + path + "'])";
    }

    private JsonValue type(String path, String text, JsonValue value) {
        control(path).fill(text);
        return value;
    }

    private JsonValue choose(List<JsonValue> choices, String path) {
        int last = choices.size() - 1;
        control(path).selectOption(String.valueOf(last));
        return choices.get(last);
    }

    private JsonValue tick(String path, boolean isRequired) {
        if (isRequired) {
            control(path).check();
        } else {
            control(path).selectOption("0");
        }
        return JsonBoolean.TRUE;
    }

    private JsonArray flags(JsonObject schema, String path) {
        add(path);
        List<JsonValue> choices = Kind.choices(resolved(schema.get("items")));
        int most =
                schema.get("maxItems") instanceof JsonNumber number
                        ? number.value().intValueExact()
                        : choices.size();
        List<Locator> boxes = group(path).locator("input[type=checkbox]").all();
        boxes.forEach(Locator::uncheck);
        boxes.subList(0, most).forEach(Locator::check);
        return new JsonArray(choices.subList(0, most));
    }

    private JsonArray items(JsonObject schema, String path, int depth) {
        add(path);
        JsonArray each = array(schema, "prefixItems");
        int wanted = Math.max(1, each.elements().size());
        Locator items = group(path).locator(":scope > .nested > .item");
        List<JsonValue> values = new ArrayList<>();
        for (int i = 0; i < wanted; i++) {
            if (items.count() <= i) {
                group(path).locator(":scope > .nested > button").click();
            }
            JsonValue item =
                    i < each.elements().size() ? each.elements().get(i) : schema.get("items");
            values.add(field(resolved(item), path + "[" + i + "]", true, depth + 1));
        }
        return new JsonArray(values);
    }

    private JsonValue variant(JsonObject schema, String path, int depth) {
        add(path);
        List<JsonObject> variants = Kind.variants(schema).stream().map(this::resolved).toList();
        JsonObject chosen = variants.getFirst();
        group(path).locator(":scope > .nested > select").selectOption("0");
        return field(chosen, path, true, depth + 1);
    }

    private static JsonNumber number(JsonObject schema) {
        return new JsonNumber(
                schema.get("minimum") instanceof JsonNumber least
                        ? least.value().add(BigDecimal.ONE)
                        : BigDecimal.TWO);
    }

    private static String text(JsonObject schema) {
        if (schema.get("pattern") instanceof JsonString pattern) {
            return PATTERNS.get(pattern.value());
        }
        return schema.get("format") instanceof JsonString format
                ? FORMATS.get(format.value())
                : "text";
    }

    // ---- schemas

    private JsonObject resolved(JsonValue schema) {
        JsonObject all = schema instanceof JsonObject object ? object : JsonObject.EMPTY;
        if (all.get("$ref") instanceof JsonString reference) {
            JsonObject at = root;
            for (String name : reference.value().substring(2).split("/")) {
                at = at.object(name);
            }
            all = resolved(at);
        }
        for (JsonValue part : array(all, "allOf")) {
            JsonObject other = resolved(part);
            all =
                    all.with(other)
                            .with(
                                    "properties",
                                    object(all, "properties").with(object(other, "properties")))
                            .without("allOf");
        }
        return all;
    }

    private static JsonObject object(JsonObject in, String name) {
        return in.get(name) instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    private static JsonArray array(JsonObject in, String name) {
        return in.get(name) instanceof JsonArray array ? array : new JsonArray(List.of());
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** The kinds of fields. */
    enum Kind {
        CONSTANT,
        CHOICE,
        BOOLEAN,
        NUMBER,
        TEXT,
        FLAGS,
        ARRAY,
        VARIANTS,
        OBJECT,
        ANY;

        static Kind of(JsonObject schema) {
            if (schema.has("const")) {
                return CONSTANT;
            }
            if (!choices(schema).isEmpty()) {
                return CHOICE;
            }
            if (!variants(schema).isEmpty()) {
                return VARIANTS;
            }
            if (schema.get("items") instanceof JsonObject items && !choices(items).isEmpty()) {
                return FLAGS;
            }
            JsonValue given = schema.get("type");
            JsonValue only =
                    given instanceof JsonArray types
                            ? types(types, schema).getFirst().get("type")
                            : given;
            return switch (only instanceof JsonString type ? type.value() : "") {
                case "boolean" -> BOOLEAN;
                case "integer", "number" -> NUMBER;
                case "string" -> TEXT;
                case "array" -> ARRAY;
                case "object" -> OBJECT;
                default -> schema.has("properties") ? OBJECT : ANY;
            };
        }

        /** Returns the values to choose from; empty for another kind of field. */
        static List<JsonValue> choices(JsonObject schema) {
            if (schema.has("enum")) {
                return schema.array("enum").elements();
            }
            List<JsonObject> of = alternatives(schema);
            return of.stream().allMatch(one -> one.has("const"))
                    ? of.stream().map(one -> one.get("const")).toList()
                    : List.of();
        }

        /** Returns the schemas to choose from; empty for another kind of field. */
        static List<JsonObject> variants(JsonObject schema) {
            if (schema.get("type") instanceof JsonArray types) {
                List<JsonObject> variants = types(types, schema);
                return variants.size() < 2 ? List.of() : variants;
            }
            return alternatives(schema);
        }

        /** A schema for each type but null, which a form leaves out. */
        private static List<JsonObject> types(JsonArray types, JsonObject schema) {
            return types.elements().stream()
                    .filter(type -> !type.equals(new JsonString("null")))
                    .map(type -> schema.with("type", type))
                    .toList();
        }

        private static List<JsonObject> alternatives(JsonObject schema) {
            for (String name : List.of("oneOf", "anyOf")) {
                if (schema.get(name) instanceof JsonArray of) {
                    return of.elements().stream().map(one -> (JsonObject) one).toList();
                }
            }
            return List.of();
        }
    }
}
