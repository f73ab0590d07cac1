package dev.fairlead.client;

import dev.fairlead.client.handlers.FormSchema;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A field of a form that a server asks to have filled in: the texts to show to the person, and the
 * conversion of the typed text to the value that is sent. Immutable; nothing here blocks.
 *
 * <p>Texts that are made for showing ({@link #title}, {@link #description}, {@link Option#title})
 * are cleaned of control and invisible characters, so that they can go to a terminal; they come
 * from the server all the same: show them as plain text.
 *
 * @param name the member of the answer
 * @param type the kind of its value
 * @param isRequired whether the answer must have it
 * @param options the options, in the order of the server; empty where the type is no choice
 * @param schema the field as the server wrote it, an object
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation Elicitation
 */
public record FormField(
        String name, Type type, boolean isRequired, List<Option> options, JsonObject schema) {
    private static final Set<String> YES = Set.of("y", "yes", "true");
    private static final Set<String> NO = Set.of("n", "no", "false");

    /** The kinds of values. */
    public enum Type {
        /** A JSON string, perhaps of a {@link FormField#format}. */
        TEXT,
        /** A JSON number without a fraction. */
        INTEGER,
        /** A JSON number. */
        NUMBER,
        /** {@code true} or {@code false}. */
        BOOLEAN,
        /** The value of one of the options, a JSON string. */
        CHOICE,
        /** The values of several options, a JSON array of strings. */
        CHOICES
    }

    /**
     * An option to choose.
     *
     * @param value the value that is sent
     * @param title the text that is shown: the server's title of it, or the value
     */
    public record Option(String value, String title) {
        private boolean isMeantBy(String typed) {
            return value.equals(typed) || title.equalsIgnoreCase(typed);
        }
    }

    /** The fields of a form whose schema is known to be flat, in the order of the server. */
    static List<FormField> of(JsonObject form) {
        List<JsonValue> required = array(form, "required");
        List<FormField> fields = new ArrayList<>();
        JsonObject properties =
                form.get("properties") instanceof JsonObject object ? object : JsonObject.EMPTY;
        for (Map.Entry<String, JsonValue> property : properties.members().entrySet()) {
            JsonObject schema = (JsonObject) property.getValue();
            JsonObject kind = schema.has("type") ? schema : kind(schema);
            List<Option> options = options(kind);
            fields.add(
                    new FormField(
                            property.getKey(),
                            type(kind, options),
                            required.contains(new JsonString(property.getKey())),
                            options,
                            schema));
        }
        return List.copyOf(fields);
    }

    /** Returns the first branch with a value other than null; the schema itself if none has. */
    private static JsonObject kind(JsonObject schema) {
        for (JsonValue branch : array(schema, "anyOf")) {
            if (branch instanceof JsonObject object
                    && !object.has("const") // an option of a choice
                    && !text(object, "type").equals(Optional.of("null"))) {
                return object;
            }
        }
        return schema;
    }

    private static Type type(JsonObject schema, List<Option> options) {
        if (!options.isEmpty()) {
            return isArray(schema) ? Type.CHOICES : Type.CHOICE;
        }
        return switch (text(schema, "type").orElseGet(() -> firstType(schema))) {
            case "boolean" -> Type.BOOLEAN;
            case "integer" -> Type.INTEGER;
            case "number" -> Type.NUMBER;
            default -> Type.TEXT;
        };
    }

    /** Returns the first type of a union, which some servers write for optional values. */
    private static String firstType(JsonObject schema) {
        return array(schema, "type").stream()
                .map(type -> type instanceof JsonString text ? text.value() : "null")
                .filter(type -> !type.equals("null"))
                .findFirst()
                .orElse("string");
    }

    private static boolean isArray(JsonObject schema) {
        return schema.get("items") instanceof JsonObject;
    }

    private static List<Option> options(JsonObject schema) {
        JsonObject place = isArray(schema) ? schema.object("items") : schema;
        List<Option> options = new ArrayList<>();
        for (String titled : List.of("oneOf", "anyOf")) {
            for (JsonValue option : array(place, titled)) {
                if (option instanceof JsonObject object) {
                    text(object, "const")
                            .ifPresent(value -> options.add(option(value, object.get("title"))));
                }
            }
        }
        List<JsonValue> names = array(place, "enumNames");
        List<JsonValue> values = array(place, "enum");
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) instanceof JsonString value) {
                options.add(option(value.value(), i < names.size() ? names.get(i) : null));
            }
        }
        return List.copyOf(options);
    }

    private static Option option(String value, @Nullable JsonValue title) {
        return new Option(
                value, Printable.line(title instanceof JsonString text ? text.value() : value));
    }

    private static List<JsonValue> array(JsonObject place, String member) {
        return place.get(member) instanceof JsonArray array ? array.elements() : List.of();
    }

    private static Optional<String> text(JsonObject place, String member) {
        return place.get(member) instanceof JsonString text
                ? Optional.of(text.value())
                : Optional.empty();
    }

    // ---- texts to show

    /** The name for people, on one line: the server's title, else the name. */
    public String title() {
        return Printable.line(text(schema, "title").orElse(name));
    }

    /** Returns the description of the server, perhaps on several lines; empty if there is none. */
    public Optional<String> description() {
        return text(schema, "description").map(Printable::text);
    }

    /**
     * Returns the value that is sent if the person leaves it out; empty if the server names no
     * default.
     */
    public Optional<JsonValue> defaultValue() {
        return Optional.ofNullable(schema.get("default"));
    }

    /**
     * {@code email}, {@code uri}, {@code date} or {@code date-time}; empty where any text will do.
     */
    public Optional<String> format() {
        return text(schema, "format");
    }

    /** The least value of a number; empty where there is none. */
    public Optional<JsonNumber> minimum() {
        return number("minimum");
    }

    /** The greatest value of a number; empty where there is none. */
    public Optional<JsonNumber> maximum() {
        return number("maximum");
    }

    /** The least number of characters of a text; empty where there is none. */
    public Optional<JsonNumber> minLength() {
        return number("minLength");
    }

    /** The greatest number of characters of a text; empty where there is none. */
    public Optional<JsonNumber> maxLength() {
        return number("maxLength");
    }

    /** How many options have to be chosen at least; empty where it does not matter. */
    public Optional<JsonNumber> minItems() {
        return number("minItems");
    }

    /** How many options can be chosen at most; empty where it does not matter. */
    public Optional<JsonNumber> maxItems() {
        return number("maxItems");
    }

    private Optional<JsonNumber> number(String keyword) {
        return schema.get(keyword) instanceof JsonNumber number
                ? Optional.of(number)
                : Optional.empty();
    }

    /** Type and limits in a few English words, such as {@code a whole number, at least 1}. */
    public String constraints() {
        List<String> words = new ArrayList<>();
        switch (type) {
            case BOOLEAN -> words.add("yes or no");
            case INTEGER -> words.add("a whole number");
            case NUMBER -> words.add("a number");
            case TEXT, CHOICE, CHOICES -> {}
        }
        minimum().ifPresent(number -> words.add("at least " + number));
        maximum().ifPresent(number -> words.add("at most " + number));
        minItems().ifPresent(number -> words.add("at least this many: " + number));
        maxItems().ifPresent(number -> words.add("at most this many: " + number));
        minLength().ifPresent(number -> words.add("characters at least: " + number));
        maxLength().ifPresent(number -> words.add("characters at most: " + number));
        switch (format().orElse("")) {
            case "email" -> words.add("an address such as ada@example.com");
            case "uri" -> words.add("a URI such as https://example.com/");
            case "date" -> words.add("a date such as 2025-12-31");
            case "date-time" -> words.add("a time such as 2025-12-31T23:59:00Z");
            default -> {}
        }
        return String.join(", ", words);
    }

    // ---- text that the person typed

    /**
     * Returns the value of a typed text. Options can be typed by value, by title in any case, or by
     * their number from 1; several of them with commas in between. Booleans are {@code yes} or
     * {@code no}, also in short or as in JSON.
     *
     * @return the default where nothing was typed; empty where there is none either
     * @throws IllegalArgumentException if it does not fit; the message states the accepted values
     */
    public Optional<JsonValue> parse(String typed) {
        if (typed.isBlank()) {
            if (isRequired && defaultValue().isEmpty()) {
                throw new IllegalArgumentException("An answer is needed here.");
            }
            return defaultValue();
        }
        JsonValue value = converted(typed.strip());
        check(value);
        return Optional.of(value);
    }

    private JsonValue converted(String typed) {
        return switch (type) {
            case TEXT -> JsonValue.of(typed);
            case INTEGER, NUMBER -> numberOf(typed);
            case BOOLEAN -> booleanOf(typed);
            case CHOICE -> JsonValue.of(chosen(typed));
            case CHOICES -> {
                Set<JsonValue> chosen = new LinkedHashSet<>();
                for (String one : typed.split(",")) {
                    if (!one.isBlank()) {
                        chosen.add(JsonValue.of(chosen(one.strip())));
                    }
                }
                yield new JsonArray(List.copyOf(chosen));
            }
        };
    }

    private static JsonValue booleanOf(String typed) {
        String word = typed.toLowerCase(Locale.ROOT);
        if (YES.contains(word) || NO.contains(word)) {
            return JsonValue.of(YES.contains(word));
        }
        throw new IllegalArgumentException("Please type yes or no.");
    }

    private JsonValue numberOf(String typed) {
        try {
            if (JsonValue.parse(typed) instanceof JsonNumber number) {
                return number;
            }
        } catch (JsonException e) {
            // the same answer as for other JSON
        }
        throw new IllegalArgumentException(
                type == Type.INTEGER
                        ? "Please type a whole number."
                        : "Please type a number, such as 1.5.");
    }

    private String chosen(String typed) {
        for (Option option : options) { // a value may look like the number of another option
            if (option.isMeantBy(typed)) {
                return option.value();
            }
        }
        if (typed.matches("[0-9]{1,6}")) {
            int number = Integer.parseInt(typed);
            if (number >= 1 && number <= options.size()) {
                return options.get(number - 1).value();
            }
        }
        throw new IllegalArgumentException(
                "Please choose from the list, by number (1 to " + options.size() + ") or name.");
    }

    /**
     * Checks a value against type and limits, as the client does before the answer is sent, and the
     * format of a text as well.
     *
     * @throws IllegalArgumentException if it does not fit; the message states the accepted values
     */
    public void check(JsonValue value) {
        JsonObject form =
                JsonObject.of("type", "object", "properties", JsonObject.of("value", schema));
        List<JsonViolation> violations =
                FormSchema.of(form).validate(JsonObject.of("value", value));
        if (!violations.isEmpty()) {
            throw new IllegalArgumentException(
                    "This does not fit: "
                            + violations.stream()
                                    .map(JsonViolation::message)
                                    .collect(Collectors.joining("; ")));
        }
        if (value instanceof JsonString text && !hasFormat(text.value())) {
            throw new IllegalArgumentException("This does not fit: " + constraints() + ".");
        }
    }

    /** Checks the formats of the specification; those of other servers only describe. */
    private boolean hasFormat(String text) {
        String format = format().orElse("");
        return switch (format) {
            case "email", "uri", "date", "date-time" -> JsonSchema.hasFormat(text, format);
            default -> true;
        };
    }
}
